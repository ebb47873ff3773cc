#!/usr/bin/env bash
# Run by pre-commit from its clone of this repository, in the folder of the repository that is checked. The first run installs.
set -euo pipefail
own=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -f "$own/node_modules/.package-lock.json" ] || npm ci --prefix "$own" --omit=dev --ignore-scripts >&2
exec node "$own/cli/bin/greenlit.js" check "$@"
