#!/bin/sh
# Makes the spoken clips in files/ again, and truth-speech.json, which says what is said in them and when. The tests read
# the files and never run this. Needs ffmpeg, espeak-ng and flite.
set -eu
golden="$(cd "$(dirname "$0")" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

encode() {
  ffmpeg -hide_banner -loglevel error -nostdin -y "$@"
}

opus="-fflags +bitexact -flags:a +bitexact -map_metadata -1 -c:a libopus -b:a 24k"
# Voices begin and end with silence, which would make the times of the truth wrong.
bare="silenceremove=start_periods=1:start_threshold=-45dB"

# say VOICE TEXT FILE
say() {
  case "$1" in
    flite-fast-*) flite -voice "${1#flite-fast-}" --setf duration_stretch=0.65 -t "$2" -o raw.wav ;;
    flite-*) flite -voice "${1#flite-}" -t "$2" -o raw.wav ;;
    *) espeak-ng -v "$1" -s 150 -w raw.wav "$2" ;;
  esac
  encode -i raw.wav -af "aresample=16000,$bare,areverse,$bare,areverse" -ac 1 "$3"
}

seconds() {
  ffprobe -v error -show_entries format=duration -of csv=p=0 "$1"
}

# Chords that change every two seconds, plucked twice a second, over a drum.
music="st(0,floor(mod(t,8)/2)); st(1,if(eq(ld(0),0),261.63,if(eq(ld(0),1),220,if(eq(ld(0),2),174.61,196)))); st(2,exp(-3*mod(t,0.5)));
  0.3*ld(2)*(sin(2*PI*ld(1)*t)+0.5*sin(4*PI*ld(1)*t)+sin(2*PI*ld(1)*1.26*t)+sin(2*PI*ld(1)*1.5*t))
  +0.3*exp(-30*mod(t,0.5))*sin(2*PI*60*mod(t,0.5))+0.15*exp(-40*mod(t+0.25,0.5))*(2*random(3)-1)"

truth=""

# speak NAME LANGUAGE BED VOICE TEXT [VOICE TEXT …]: utterances a second apart, from 1 s on; BED is music or none.
speak() {
  name="$1" language="$2" bed="$3"
  shift 3
  encode -f lavfi -i anullsrc=r=16000:cl=mono -t 1 gap.wav
  : >list.txt
  at=1
  utterances=""
  number=0
  echo "file 'gap.wav'" >>list.txt
  while [ $# -gt 0 ]; do
    number=$((number + 1))
    say "$1" "$2" "$number.wav"
    printf "file '%s.wav'\nfile 'gap.wav'\n" "$number" >>list.txt
    end="$(echo "$at $(seconds "$number.wav")" | awk '{ printf "%.2f", $1 + $2 }')"
    utterances="$utterances${utterances:+,}
      { \"startSeconds\": $at, \"endSeconds\": $end, \"voice\": \"$1\", \"text\": \"$2\" }"
    at="$(echo "$end" | awk '{ printf "%.2f", $1 + 1 }')"
    shift 2
  done
  encode -f concat -safe 0 -i list.txt -c copy voice.wav
  if [ "$bed" = music ]; then
    encode -i voice.wav -f lavfi -i "aevalsrc='$music':s=16000:d=$at" \
      -filter_complex "[1]volume=-14dB[bed];[0][bed]amix=inputs=2:duration=first:normalize=0" $opus "$golden/files/$name"
  else
    encode -i voice.wav $opus "$golden/files/$name"
  fi
  truth="$truth${truth:+,}
  \"$name\": {
    \"language\": \"$language\",
    \"utterances\": [$utterances
    ]
  }"
}

speak speech-slt.ogg en none \
  flite-slt "Our new car goes further on a single charge than ever before." \
  flite-slt "Capital at risk. The value of your investment can go down as well as up." \
  flite-slt "This medicine can make you sleepy. Always read the label before you take it."
speak speech-rms-music.ogg en music \
  flite-rms "You must be over the age of eighteen to enter this competition." \
  flite-rms "Visit our website to find your nearest store and book a table today."
speak speech-awb-music.ogg en music \
  flite-awb "The best coffee in the world, roasted by hand every morning." \
  flite-awb "Gamble responsibly. When the fun stops, stop."
speak speech-espeak.ogg en none \
  en-gb "Subject to status. Late payment can cause you serious money problems." \
  en-gb "This medicine can make you sleepy. Always read the label before you take it."
# As fast as the small print at the end of a radio spot.
speak speech-fast.ogg en none \
  flite-fast-rms "Subject to status. Late payment can cause you serious money problems." \
  flite-fast-slt "Our new car goes further on a single charge than ever before." \
  flite-fast-rms "This medicine can make you sleepy. Always read the label before you take it."
speak speech-german.ogg de none \
  de "Zu Risiken und Nebenwirkungen lesen Sie die Packungsbeilage und fragen Sie Ihren Arzt oder Apotheker." \
  de "Sparen Sie an diesem Wochenende in Ihrem Geschäft." \
  de "Rufen Sie jetzt an und sprechen Sie mit unseren freundlichen Beratern."
speak speech-spanish.ogg es music \
  es "Se aplican términos y condiciones. Beba con responsabilidad." \
  es "Lea las instrucciones de este medicamento y consulte al farmacéutico."
# English and German in one clip.
speak speech-mixed.ogg mixed none \
  flite-slt "This medicine can make you sleepy. Always read the label before you take it." \
  de "Zu Risiken und Nebenwirkungen lesen Sie die Packungsbeilage und fragen Sie Ihren Arzt oder Apotheker." \
  flite-rms "You must be over the age of eighteen to enter this competition."

encode -f lavfi -i "aevalsrc='$music':s=16000:d=6" $opus "$golden/files/speech-none-music.ogg"
# As restless as a crowd, but without a voice.
encode -f lavfi -i "anoisesrc=c=pink:a=0.5:d=6:r=16000:seed=7" -af "bandpass=f=900:w=1200,tremolo=f=3.5:d=0.9" $opus "$golden/files/speech-none-noise.ogg"
truth="$truth,
  \"speech-none-music.ogg\": { \"language\": \"none\", \"utterances\": [] },
  \"speech-none-noise.ogg\": { \"language\": \"none\", \"utterances\": [] }"

printf '{%s\n}\n' "$truth" >"$golden/truth-speech.json"
