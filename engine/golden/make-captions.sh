#!/bin/sh
# Makes the captioned films in files/ again. The tests read the files and never run this. Needs ffmpeg.
set -eu
cd "$(dirname "$0")/files"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact"
h264="-c:v libx264 -preset veryslow -crf 34 -pix_fmt yuv420p -x264-params log-level=none"
film="color=gray:s=64x36:r=5:d=8"

cat >english.srt <<'CUES'
1
00:00:01,000 --> 00:00:03,500
<i>Terms and conditions</i> apply.

2
00:00:04,000 --> 00:00:06,250
Please drink
responsibly & in moderation.
CUES
cat >german.srt <<'CUES'
1
00:00:01,000 --> 00:00:03,500
Bitte trinken Sie verantwortungsvoll für {\an8}Müller.
CUES

# captioned.mkv: SubRip in English, ASS in German. captioned.mp4: the English ones as mov_text. captioned.webm: as WebVTT.
encode -f lavfi -i "$film" -i english.srt -i german.srt -map 0 -map 1 -map 2 $exact $h264 -c:s:0 subrip -c:s:1 ass \
  -metadata:s:s:0 language=eng -metadata:s:s:1 language=ger captioned.mkv
encode -f lavfi -i "$film" -i english.srt -map 0 -map 1 $exact $h264 -c:s mov_text -metadata:s:s:0 language=eng captioned.mp4
encode -f lavfi -i "$film" -i english.srt -map 0 -map 1 $exact -c:v libvpx -b:v 20k -c:s webvtt captioned.webm
rm english.srt german.srt
