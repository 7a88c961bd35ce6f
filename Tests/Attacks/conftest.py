"""The server under attack, and the access rights on it."""

import shutil

import pytest

import visitor
from site_under_test import EVERYTHING, Mailbox, Server


def pytest_collection_modifyitems(items):
    for item in items:
        if not EVERYTHING:
            item.add_marker(pytest.mark.skip(reason="runs with VIAVAI_EVERYTHING=1"))


@pytest.fixture
def tool():
    """Finds a program, or skips the test that needs it."""

    def find(name, package):
        found = shutil.which(name)
        if not found:
            pytest.skip(f"{name} is not installed: apt-get install {package}")
        return found

    return find


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    mailbox = Mailbox()
    server = Server(tmp_path_factory.mktemp("server"), mailbox)
    try:
        yield server
        lines = server.log.read_text().splitlines()
    finally:
        server.stop()
        mailbox.stop()
    assert not [line for line in lines if "level=error" in line], "the server's log has errors"


@pytest.fixture(scope="session")
def administrator(server):
    """An administrator of a town with a driver, an application and zones."""
    somebody = visitor.Visitor(server.address)
    somebody.enter(*server.administrator, "N3wAdministrator")
    visitor.settle(somebody)
    return somebody


@pytest.fixture(scope="session")
def guest(server):
    return visitor.Visitor(server.address)
