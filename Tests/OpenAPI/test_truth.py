"""No answer is outside the document: schemathesis, as each role, on both database engines."""

import os
import pathlib
import subprocess
import sys

import pytest

# What is left out, and why:
# - positive_data_acceptance, negative_data_rejection: a schema does not state all that is wrong with
#   a request (a place that is nowhere, an event that is past), and a form accepts "1" for 1.
# - missing_required_header, unsupported_method, ignored_auth and the like are tested for every
#   operation in Tests/APITests and Tests/WebAppTests.
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "use_after_free",
]
# Streams last ten minutes.
STREAMS = "/events$"
SECONDS = os.environ.get("VIAVAI_FUZZING_SECONDS", "240")


# The sandbox stores in SQLite.
@pytest.mark.parametrize("place", ["sandbox", "postgres_city"])
@pytest.mark.parametrize("role", ["key", "token"])
def test_every_answer_is_as_the_document_says(request, place, role, tmp_path):
    city = request.getfixturevalue(place)
    program = pathlib.Path(sys.executable).with_name("schemathesis")
    ran = subprocess.run(
        [program, "run", city.server + "/api/openapi.json", "--no-color"]
        + ["--header", f"Authorization: Bearer {getattr(city, role)}"]
        + ["--checks", ",".join(CHECKS), "--exclude-path-regex", STREAMS]
        + ["--phases", "coverage,fuzzing,stateful", "--max-examples", "10", "--seed", "34"]
        + ["--max-time", SECONDS, "--request-timeout", "60", "--rate-limit", "auto"]
        + ["--continue-on-failure", "--warnings", "off"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
