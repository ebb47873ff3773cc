#!/bin/sh
# Makes the sounds, broken films, supers and captions in files/ that the rules on broadcasting, legal supers and captions
# are tried on. The tests read the files and never run this. Needs ffmpeg, the font DejaVu, and make-speech.sh before it.
set -eu
cd "$(dirname "$0")/files"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

exact="-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1"
h264="-c:v libx264 -preset veryslow -crf 34 -pix_fmt yuv420p -x264-params log-level=none"
bt709="-color_primaries bt709 -color_trc bt709 -colorspace bt709"

# tone NAME AMPLITUDE SECONDS: 1 kHz in one channel. At full scale it averages −3.0 LUFS, so that 0.1 is −23. The encoder
# takes a twentieth off.
tone() {
  encode -f lavfi -i "aevalsrc='($2)/0.95*sin(2*PI*1000*t)':d=$3:s=24000" $exact -c:a libmp3lame -b:a 24k "$1"
}

tone loud-14.mp3 0.2818 4
tone loud-23.mp3 0.1 4
tone loud-30.mp3 0.0447 4
# Averages −23, but is at −17.6 LUFS from 8 s to 12 s and at −27.3 before and after.
tone burst.mp3 "if(between(t,8,12),0.187,0.061)" 20
# As loud-23, with two clicks near full scale.
tone peaks.mp3 "if(lt(mod(t+1,2),0.01),0.93,0.091)" 4

# interrupted.mp4: 2 s moving, 3.6 s black, 2 s moving, 5.6 s of one frame, 2 s moving; the tone is out from 3 s to 6 s.
encode -f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i color=black:s=160x90:r=25:d=3.6 -f lavfi -i testsrc2=s=160x90:r=25:d=2 \
  -f lavfi -i color=gray:s=160x90:r=25:d=5.6 -f lavfi -i testsrc2=s=160x90:r=25:d=2 \
  -f lavfi -i "aevalsrc='if(between(t,3,6),0,0.1*sin(2*PI*440*t))':d=15.2:s=48000" \
  -filter_complex "[0][1][2][3][4]concat=n=5" $exact $h264 $bt709 -c:a aac -b:a 32k -ac 1 -movflags +faststart interrupted.mp4

# 7 s of two flashes a second; and a ninth of the picture that flashes in red four times a second.
lit() {
  echo "gte(mod(2*$1*(t+0.001),2),1)"
}
encode -f lavfi -i "color=black:s=320x180:r=25:d=7,format=yuv444p,drawbox=color=white:t=fill:enable='$(lit 2)'" $exact $h264 $bt709 flash-long.mp4
encode -f lavfi -i "color=0x5c5c5c:s=320x180:r=25:d=3,format=yuv444p,drawbox=color=0xc80000:t=fill:x=100:y=60:w=107:h=60:enable='$(lit 4)'" $exact $h264 $bt709 flash-red-part.mp4

# say TEXT SIZE COLOUR START END: a filter. Capitals of DejaVu Sans are 0.729 of its size, small letters 0.547.
say() {
  echo "drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:text='$1':fontsize=$2:fontcolor=$3:x=(w-tw)/2:y=h-150:enable='between(t,$4,$5-0.01)'"
}
legal="Subject to status. Over 18s only. UK residents."
paid="Paid for by the Smith campaign."
# Capitals of 51 lines, white on black, held long enough; and the same small, faint or gone at once.
encode -f lavfi -i "color=black:s=1920x1080:r=25:d=12,$(say "$legal" 70 white 0.4 6.4),$(say "$paid" 70 white 7 11.6)" $exact $h264 $bt709 legible.mp4
encode -f lavfi -i "color=0x606060:s=1920x1080:r=25:d=7,$(say "$legal" 44 0x909090 0.4 2.4),$(say "$paid" 34 white 3.2 5.6)" $exact $h264 $bt709 illegible.mp4
encode -f lavfi -i "color=white:s=800x300:d=0.04,$(say "Free delivery this week" 30 black 0 1)" -frames:v 1 $exact legible.png
encode -f lavfi -i "color=white:s=800x300:d=0.04,$(say "Free delivery this week" 30 0xb8b8b8 0 1)" -frames:v 1 $exact illegible.png
# Lines that the reader of Latin letters takes for words. Needs the fonts Noto as well.
script() {
  encode -f lavfi -i "color=0x203040:s=1000x120:d=0.04,drawtext=fontfile=/usr/share/fonts/truetype/noto/$3:text='$2':fontsize=44:fontcolor=white:borderw=2:x=40:y=30" -frames:v 1 $exact "$1"
}
script cyrillic.png "Лечит артрит за одну неделю" NotoSans-Regular.ttf
script thai.png "รักษาโรคข้ออักเสบในหนึ่งสัปดาห์" NotoSansThai-Regular.ttf

cat > captions-good.srt <<'TEXT'
1
00:00:01,000 --> 00:00:03,900
Every morning starts
with a cup of coffee.

2
00:00:04,100 --> 00:00:06,900
And every cup starts
with a good bean.

3
00:00:07,100 --> 00:00:09,500
Ours come from small farms.
TEXT

cat > captions-bad.srt <<'TEXT'
1
00:00:01,000 --> 00:00:03,500
This line goes on and on until it no longer fits on any screen.

2
00:00:03,500 --> 00:00:05,500
One
two
three
four
five lines

3
00:00:05,000 --> 00:00:06,000
So many words in so little time that nobody could ever read them all.

4
00:00:07,000 --> 00:00:07,300
Gone

5
00:00:08,000 --> 00:00:20,000
And this one stays.
TEXT

# Speech over a plain picture, without captions and with them.
cat > talk.srt <<'TEXT'
1
00:00:01,000 --> 00:00:04,200
The best coffee in the world,
roasted by hand every morning.

2
00:00:05,200 --> 00:00:08,400
Gamble responsibly.
When the fun stops, stop.
TEXT
talk="-f lavfi -i color=0x806040:s=160x90:r=5:d=9.4 -i speech-awb-music.ogg"
aac="-c:a aac -b:a 32k -ac 1"
encode $talk $exact $h264 $bt709 $aac talk.mp4
encode $talk -i talk.srt -map 0 -map 1 -map 2 $exact $h264 $bt709 $aac -c:s srt -metadata:s:s:0 language=eng talk-captioned.mkv
rm talk.srt
