"""A temporary PostgreSQL server for a measurement, on a free port of this machine."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
SETTINGS = [
    "listen_addresses=127.0.0.1", "unix_socket_directories=", "shared_buffers=256MB", "fsync=on",
    "synchronous_commit=on", "checkpoint_timeout=1h", "max_wal_size=4GB",
]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A fresh cluster with one empty database; used with `with`."""

    def __enter__(self):
        # Not /tmp, which may be memory: syncs must reach a disk.
        self.folder = pathlib.Path(tempfile.mkdtemp(dir="/var/tmp"))
        self.port = free_port()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.data, "--username", "viavai", "--auth", "trust",
                  "--encoding", "UTF8", "--locale", "C", "--no-sync")
        options = " ".join(f"-c {setting}" for setting in [f"port={self.port}", *SETTINGS])
        self._run("pg_ctl", "start", "--wait", "-D", self.data, "-l", self.folder / "log",
                  "-o", options)
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "viavai",
                  "--template", "template0", "city")
        return self

    def __exit__(self, *fault):
        self._run("pg_ctl", "stop", "-D", self.data, "-m", "fast", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self):
        return self.folder / "data"

    @property
    def address(self):
        return f"postgres://viavai@127.0.0.1:{self.port}/city"

    def _run(self, program, *arguments, check=True):
        # The server refuses to run as root.
        whose = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*whose, BINARIES / program, *arguments], check=check, cwd="/",
                       stdout=subprocess.DEVNULL)
