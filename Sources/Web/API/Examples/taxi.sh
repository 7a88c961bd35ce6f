#!/bin/sh
# Calls a taxi for a guest and follows the ride to its end.
#
# Run it with VIAVAI_SERVER, the address of the city, and VIAVAI_KEY, the key of the application:
# sh taxi.sh "45.4641, 9.1919" "45.4840, 9.2040" "+39 333 1234567"
set -eu

ask() {
    curl --silent --show-error --fail-with-body --max-time 60 \
        --header "Authorization: Bearer $VIAVAI_KEY" "$@"
}
member() { printf '%s\n' "$ride" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# With its key, a request whose answer is lost can be sent again.
ride=$(ask --header 'Content-Type: application/json' \
    --header "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" \
    --data "{\"from\": \"$1\", \"to\": \"$2\", \"contact\": \"$3\"}" \
    "${VIAVAI_SERVER%/}/api/rides")
request=$(member request)
while [ "$(member state)" != ended ]; do
    member state
    ride=$(ask "${VIAVAI_SERVER%/}/api/rides/$request/wait?state=$(member state)")
done
member outcome
