#!/usr/bin/env bash
# Asks Sallyport about a JSON object, for scripts and CGI programs:
#
#     printf '{"comment":"%s"}' "$escaped" | ./screen.sh || exit 1
#
# Exit code 0: carry on. 1: a threat was found, or nothing was screened and SALLYPORT_ON_OUTAGE is
# `block`. Standard error says why. What CGI knows of the request goes along; it switches on the
# check for requests forged by other sites. Needs curl 7.55 or newer.
set -u
: "${SALLYPORT_KEY:?is not set: sallyport keys create --name scripts prints a key}"

not_screened() {
  echo "sallyport: not screened: $1" >&2
  [ "${SALLYPORT_ON_OUTAGE:-allow}" = allow ]
  exit
}

context=()
add() { [ -z "$2" ] || context+=(--header "x-forwarded-$1: $2"); }
add method "${REQUEST_METHOD:-}"
add host "${HTTP_HOST:-}"
add uri "${REQUEST_URI:-}"
add for "${REMOTE_ADDR:-}"
add origin "${HTTP_ORIGIN:-}"
add referer "${HTTP_REFERER:-}"
add sec-fetch-site "${HTTP_SEC_FETCH_SITE:-}"
add content-type "${CONTENT_TYPE:-}"
add cookie "${HTTP_COOKIE:-}"

limit_ms=${SALLYPORT_TIMEOUT_MS:-150}
limit=$(printf '%d.%03d' $((limit_ms / 1000)) $((limit_ms % 1000)))
# The key comes from a file, where the list of processes does not show it.
answer=$(curl -q --silent --show-error --max-time "$limit" --write-out '\n%{http_code}' \
  --header @<(printf 'x-api-key: %s\n' "$SALLYPORT_KEY") \
  --header 'content-type: application/json' --header "x-deadline-ms: $limit_ms" --header 'expect:' \
  ${context[@]+"${context[@]}"} \
  --data-binary @- "${SALLYPORT_URL:-http://127.0.0.1:8080}/control" 2>&1) ||
  not_screened "${answer//$'\n'/ }"

case "${answer##*$'\n'} $answer" in
  200*'"decision":"allow"'*) exit 0 ;;
  403*'"decision":"block"'*)
    echo "sallyport: blocked: ${answer%$'\n'*}" >&2
    exit 1
    ;;
  *)
    answer=${answer//$'\n'/ }
    not_screened "answer ${answer##* }: ${answer:0:300}"
    ;;
esac
