#!/bin/sh
# Makes the sample files of this folder again: one small real file for every format that recognise.ts must accept.
# The test suite reads the files and never runs this. Needs: ffmpeg, heif-enc (libheif-examples), zip.
set -eu
cd "$(dirname "$0")"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

# Exact flags keep dates and versions out, so that a second run changes as little as the encoders allow.
picture="-f lavfi -i color=c=orange:s=16x16:r=25:d=0.08"
sound="-f lavfi -i sine=f=440:r=8000:d=0.3"
music="-f lavfi -i sine=f=440:r=44100:d=0.15"
exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
h264="-c:v libx264 -preset ultrafast -pix_fmt yuv420p"

# Video (the transport stream is .m2t: the tools would read a .ts as TypeScript)
encode $picture $exact $h264 video.mp4
encode $picture $exact $h264 -movflags +frag_keyframe+empty_moov+default_base_moof+dash -brand iso5 fragmented.mp4
encode $picture $exact $h264 -f ipod apple.m4v
encode $picture $exact -c:v mjpeg -pix_fmt yuvj420p video.mov
encode $picture $exact -c:v libvpx video.webm
encode $picture $exact $h264 video.mkv
encode $picture $exact -c:v mjpeg -pix_fmt yuvj420p video.avi
encode $picture $exact -c:v mpeg1video -f mpeg video.mpg
encode $picture $exact -c:v mpeg2video -f vob video.vob
encode $picture $exact -c:v mpeg2video -f mpeg2video video.m2v
encode $picture $exact -c:v mpeg2video -f mpegts video.m2t
encode $picture $exact -c:v mpeg2video -f mpegts -mpegts_m2ts_mode 1 video.m2ts
encode $picture $exact -c:v mpeg2video -f mxf video.mxf

# Audio
encode $music $exact -c:a libmp3lame -b:a 32k -write_xing 0 -id3v2_version 0 -write_id3v1 0 audio.mp3
encode $music $exact -c:a libmp3lame -b:a 32k -metadata title=Greenlit -id3v2_version 3 tagged.mp3
encode $music $exact -c:a mp2 -b:a 64k audio.mp2
encode $sound $exact -c:a aac -b:a 16k audio.m4a
encode $sound $exact -c:a aac -b:a 16k -f adts audio.aac
encode $sound $exact -t 0.1 -c:a pcm_s16le audio.wav
encode $sound $exact -t 0.1 -c:a pcm_s16le -rf64 always audio-rf64.wav
encode $sound $exact -t 0.1 -c:a libvorbis audio.ogg
encode $sound $exact -t 0.1 -c:a libopus -b:a 8k audio.opus
encode $sound $exact -t 0.1 -c:a flac -f ogg audio-flac.oga
encode $sound $exact -t 0.1 -c:a flac audio.flac
encode $sound $exact -t 0.1 -c:a libopus -b:a 8k -f webm audio.weba

# Image
encode $picture $exact -frames:v 1 image.jpg
encode $picture $exact -frames:v 1 image.png
encode $picture $exact -f apng animated.png
encode $picture $exact -frames:v 1 image.gif
encode $picture $exact -frames:v 1 -c:v libwebp image.webp
encode $picture $exact -frames:v 1 image.tiff
encode $picture $exact -frames:v 1 image.bmp
encode -f lavfi -i color=c=orange:s=64x64:d=0.04 -frames:v 1 big.png
heif-enc -q 10 big.png -o image.heic
heif-enc -A -q 10 big.png -o image.avif
rm big.png

# Not allowed, and easily taken for something that is
encode $picture $exact -c:v libtheora -f ogg video.ogv

# Documents
printf '%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000053 00000 n \n0000000102 00000 n \ntrailer<</Root 1 0 R/Size 4>>\nstartxref\n162\n%%%%EOF\n' > document.pdf

# office NAME MAIN-PART MAIN-CONTENT-TYPE MAIN-XML: [Content_Types].xml is written last, as some producers do.
office() {
  folder=$(mktemp -d)
  part_folder=$(dirname "$2")
  mkdir -p "$folder/_rels" "$folder/$part_folder"
  printf '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/%s" ContentType="%s"/></Types>' "$2" "$3" > "$folder/[Content_Types].xml"
  printf '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="%s"/></Relationships>' "$2" > "$folder/_rels/.rels"
  printf '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n%s' "$4" > "$folder/$2"
  find "$folder" -exec touch -d '2020-01-01 00:00:00 UTC' {} +
  rm -f "$1"
  (cd "$folder" && zip -q -X -D package.zip "_rels/.rels" "$2" "[Content_Types].xml")
  mv "$folder/package.zip" "$1"
  rm -r "$folder"
}
word='<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Greenlit</w:t></w:r></w:p></w:body></w:document>'
office document.docx word/document.xml application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml "$word"
office macros.docm word/document.xml application/vnd.ms-word.document.macroEnabled.main+xml "$word"
office document.pptx ppt/presentation.xml application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>'
office document.xlsx xl/workbook.xml application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>'

printf 'Our red is good with a hearty stew.\n' > document.txt
printf '# Script\n\nOur red is *good*, <b>really</b>.\n' > document.md
printf 'start,text\n0.0,"Our red, again"\n' > document.csv
printf '1\r\n00:00:01,000 --> 00:00:02,500\r\nOur red is good.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nAgain.\r\n' > captions.srt
printf 'WEBVTT\n\n00:01.000 --> 00:02.500\nOur red is good.\n' > captions.vtt
