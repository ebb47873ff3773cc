#!/bin/sh
# Makes the flashing, striped and alarming clips in files/ again; truth-flashes.json says what is in them. The tests read
# the files and never run this. Needs ffmpeg and node.
set -eu
cd "$(dirname "$0")/files"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
h264="-c:v libx264 -preset veryslow -crf 30 -pix_fmt yuv420p -x264-params log-level=none"
bt709="-color_primaries bt709 -color_trc bt709 -colorspace bt709"

# $1 Hz, dark first, 25 frames a second; the thousandth of a second keeps frame times off the edges.
lit() {
  echo "gte(mod(2*$1*(t+0.001),2),1)"
}

# film NAME FILTER: 3 s of 320 × 180, black to begin with.
film() {
  encode -f lavfi -i "color=black:s=320x180:r=25:d=3,format=yuv444p,$2" $exact $h264 $bt709 "$1"
}

film flash-2hz.mp4 "drawbox=color=white:t=fill:enable='$(lit 2)'"
film flash-3hz.mp4 "drawbox=color=white:t=fill:enable='$(lit 3)'"
film flash-4hz.mp4 "drawbox=color=white:t=fill:enable='$(lit 4)'"
# Red of as little luminance change against this grey as no general flash is made of.
film flash-red.mp4 "drawbox=color=0x5c5c5c:t=fill,drawbox=color=0xc80000:t=fill:enable='$(lit 4)'"
film flash-antiphase.mp4 "drawbox=color=white:t=fill:w=160:x=0:enable='$(lit 4)',drawbox=color=white:t=fill:w=160:x=160:enable='not($(lit 4))'"
# 162 × 86 and 162 × 92 of 320 × 180 pixels, 24.2 % and 25.9 %, off the corners.
film flash-area-24.mp4 "drawbox=color=white:t=fill:x=70:y=42:w=162:h=86:enable='$(lit 4)'"
film flash-area-26.mp4 "drawbox=color=white:t=fill:x=70:y=42:w=162:h=92:enable='$(lit 4)'"
film flash-fades.mp4 "drawbox=color=white:t=fill,fade=in:d=1,fade=out:st=1.5:d=1.5"
film flash-cuts.mp4 "drawbox=color=0xe0e0e0:t=fill:enable='between(t,0.98,1.98)'"
film flash-single.mp4 "drawbox=color=0x404040:t=fill,drawbox=color=white:t=fill:enable='between(t,1.19,1.25)'"
# Every second frame is left out in the first half: the times say what the rate is.
encode -f lavfi -i "color=black:s=320x180:r=60:d=3,format=yuv444p,drawbox=color=white:t=fill:enable='$(lit 5)'" \
  -vf "select='not(mod(n,2))+gte(t,1.499)'" -fps_mode vfr $exact $h264 $bt709 flash-variable.mp4

# Nine pairs of vertical stripes for 2 s, then grey; and the same on a corner of the picture.
encode -f lavfi -i "color=gray:s=320x180:r=25:d=3,format=gray,geq=lum='if(lt(T,1.99),if(mod(floor(X*18/320),2),235,16),128)'" $exact $h264 $bt709 stripes.mp4
encode -f lavfi -i "color=gray:s=320x180:r=25:d=2,format=gray,geq=lum='if(lt(X,120)*gt(Y,90),if(mod(floor(X/5),2),235,16),128)'" $exact $h264 $bt709 stripes-corner.mp4

# 1 s to 3 s: the attention signal over a quiet hum. The note C6 with its neighbours is music.
encode -f lavfi -i "aevalsrc='0.02*sin(2*PI*110*t)+between(t,1,3)*0.2*(sin(2*PI*853*t)+sin(2*PI*960*t))':d=4:s=44100" $exact -c:a libmp3lame -b:a 48k eas-attention.mp3
encode -f lavfi -i "aevalsrc='between(t,1,4)*0.4*sin(2*PI*1050*t)':d=5:s=22050" $exact -c:a libmp3lame -b:a 24k weather-alarm.mp3
encode -f lavfi -i "aevalsrc='0.15*(sin(2*PI*830.6*t)+sin(2*PI*987.8*t)+sin(2*PI*1046.5*t))*(1-0.5*mod(2*t,1))':d=4:s=22050" $exact -c:a libmp3lame -b:a 32k chord.mp3
# Two header bursts from 0.5 s and 2.5 s, then an end of message from 4.5 s.
node ../header-pcm.ts | ffmpeg -hide_banner -loglevel error -y -f s16le -ar 16000 -ac 1 -i - $exact -c:a libmp3lame -b:a 32k eas-header.mp3
