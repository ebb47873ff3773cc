#!/bin/sh
# Makes the sample media in files/ again. The tests read the files and never run this. Needs ffmpeg.
set -eu
cd "$(dirname "$0")/files"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

# Exact flags keep dates and versions out, so that a second run changes as little as the encoders allow.
exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
h264="-c:v libx264 -preset veryslow -crf 34 -pix_fmt yuv420p -x264-params log-level=none"
aac="-c:a aac -b:a 32k -ac 1"

# scenes.mp4: 2 s black, 2 s moving, 2 s of one gray; a 440 Hz tone with silence from 1 s to 3 s. Index in front.
encode -f lavfi -i color=black:s=160x90:r=25:d=2 -f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i color=gray:s=160x90:r=25:d=2 \
  -f lavfi -i "aevalsrc='if(between(t,1,3),0,0.2*sin(2*PI*440*t))':d=6:s=48000" \
  -filter_complex "[0][1][2]concat=n=3" $exact $h264 $aac -color_primaries bt709 -color_trc bt709 -colorspace bt709 -movflags +faststart scenes.mp4

# variable.mp4: every third of 30 frames a second for 2 s, then all of them for 1 s. No sound.
encode -f lavfi -i testsrc2=s=160x120:r=30:d=3 -vf "select='not(mod(n,3))+gte(t,2)',settb=1/1000" -fps_mode vfr $exact $h264 variable.mp4

# turned.mp4: left half red, right half blue as stored; players turn it a quarter.
encode -f lavfi -i "color=red:s=64x64:r=25:d=0.4" -f lavfi -i "color=blue:s=64x64:r=25:d=0.4" -filter_complex "[0][1]hstack" $exact $h264 upright.mp4
encode -i upright.mp4 -c copy -metadata:s:v:0 rotate=90 turned.mp4
rm upright.mp4

# odd.mp4: 161 × 91 pixels that are wider than high (pixel aspect 4:3).
encode -f lavfi -i testsrc=s=161x91:r=25:d=0.4 -vf setsar=4/3 $exact -c:v libx264 -preset veryslow -crf 34 -pix_fmt yuv444p odd.mp4

# languages.mkv: two sound streams, 440 Hz first, 880 Hz (English) the default one.
encode -f lavfi -i testsrc2=s=160x90:r=25:d=1 -f lavfi -i sine=440:d=1 -f lavfi -i sine=880:d=1 -map 0 -map 1 -map 2 \
  $exact $h264 $aac -disposition:a:0 0 -disposition:a:1 default -metadata:s:a:1 language=eng languages.mkv

# surround.m4a: 5.1, a tone in all but the LFE.
encode -f lavfi -i sine=440:d=1 -af "pan=5.1|c0=c0|c1=c0|c2=c0|c3=0*c0|c4=c0|c5=c0" $exact -c:a aac -b:a 96k surround.m4a

# cover.mp3: a tone with a picture on its sleeve, which is not video.
encode -f lavfi -i color=red:s=32x32:d=0.04 -frames:v 1 cover.png
encode -f lavfi -i sine=440:d=1 -i cover.png -map 0 -map 1 -c:a libmp3lame -b:a 32k -c:v copy -disposition:v attached_pic cover.mp3
rm cover.png

# late.mp4: the sound starts a second after the picture.
encode -itsoffset 1 -f lavfi -i sine=440:d=1 -f lavfi -i testsrc2=s=160x90:r=25:d=2 -map 1 -map 0 $exact $h264 $aac late.mp4

# animated.*: ten frames of a tenth of a second.
for type in gif webp png; do
  codec=$([ $type = webp ] && echo "-c:v libwebp_anim -lossless 1 -loop 0" || echo "")
  format=$([ $type = png ] && echo "-f apng" || echo "")
  encode -f lavfi -i testsrc2=s=64x36:r=10:d=1 $exact $codec $format animated.$type
done

# hdr.mp4: PQ in BT.2020.
encode -f lavfi -i testsrc2=s=160x90:r=25:d=0.2 $exact -c:v libx265 -crf 40 -pix_fmt yuv420p10le -tag:v hvc1 \
  -x265-params "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc" hdr.mp4

# ten-hours.mp4: says that it plays for ten hours and holds a few kilobytes.
encode -f lavfi -i color=black:s=16x16:r=0.01:d=36000 $exact $h264 ten-hours.mp4

# tiny.m2v: two frames of a bare MPEG-2 stream.
encode -f lavfi -i color=orange:s=16x16:r=25:d=0.08 $exact -c:v mpeg2video -f mpeg2video tiny.m2v
