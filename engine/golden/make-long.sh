#!/bin/sh
# Makes long.mp4 in files/ again: three minutes with something at every cut into four. Tests read the file and never run
# this. Needs ffmpeg.
set -eu
cd "$(dirname "$0")/files"

exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf
text() {
  echo "drawtext=expansion=none:fontfile=$font:fontsize=$1:fontcolor=white:x=(w-tw)/2:y=$2:text='$3':enable='between(t,$4,$5-0.01)'"
}
box() {
  echo "drawbox=t=fill:color=$1:enable='$2'"
}

# Cut at 44, 92 and 136 s. Over the first: black and silence, 43 to 46 s. Over the second: a line for a minute, and speech.
# Over the third: flashes and an alert tone. Between them: flashes, a pattern, a loud tone, a still picture with a line.
picture="gradients=s=480x270:r=25:d=180:speed=0.012:c0=0x203040:c1=0x305030:c2=0x402040:n=3,\
$(box white "between(t,20,23.99)*lt(mod(t+0.001,0.24),0.12)"),\
$(box black "between(t,43,45.99)"),\
$(text 30 40 'Offer ends Sunday' 8 14),\
$(text 22 220 'Drink responsibly. Over 18s only' 60 120),\
$(box white "between(t,104,107.99)"),drawgrid=w=24:h=400:t=12:color=black:enable='between(t,104,107.99)',\
$(box white "between(t,133,138.99)*lt(mod(t+0.001,0.24),0.12)"),\
$(box teal "between(t,146,159.99)"),\
$(text 26 120 'Representative 29.9% APR' 150 156),format=yuv420p"

# Without noise substitution, which a decoder makes up anew wherever it begins.
ffmpeg -hide_banner -loglevel error -nostdin -y -f lavfi -i "$picture" \
  -f lavfi -i "anoisesrc=d=180:c=pink:r=48000:a=0.02:seed=7" \
  -f lavfi -i "aevalsrc='if(between(t,110,117),0.35*sin(2*PI*440*t),0)+if(between(t,134,138),0.25*(sin(2*PI*853*t)+sin(2*PI*960*t)),0)':d=180:s=48000" \
  -i speech-slt.ogg -i speech-fast.ogg \
  -filter_complex "[1]volume=0:enable='between(t,42,47)'[noise];[3]asplit[a][b];[a]adelay=84000[slt];[b]adelay=30500,atrim=end=41[early];[4]adelay=162000[fast];\
[noise][2][slt][fast][early]amix=inputs=5:normalize=0:duration=first[sound]" \
  -map 0 -map "[sound]" $exact -c:v libx264 -preset slow -crf 34 -g 50 -x264-params log-level=none -c:a aac -aac_pns 0 -b:a 24k -ac 1 -t 180 long.mp4
