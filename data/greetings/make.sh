#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the greetings of the answering machine: `sh data/greetings/make.sh`, with espeak-ng and opus-tools of Debian.
#
# The synthesizer computes the voice from formants: it sounds like 1985, and no recording of a speaker is in the result.
# eSpeak NG is under the GPL-3 or later, which does not extend to what it says.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

greet() {
    # Speed and pitch of a machine that wants to be understood over a telephone.
    espeak-ng -v "$2" -s 145 -p 40 -w "$work/$1.wav" "$3"
    opusenc --quiet --bitrate 24 --speech --comment "TITLE=Greeting" "$work/$1.wav" "$1.opus"
}

greet en en-us 'Hello. Nobody can take your call right now. Please leave a message after the tone.'
greet de de 'Guten Tag. Im Moment kann niemand ans Telefon kommen. Bitte sprechen Sie nach dem Ton.'
greet es es 'Hola. En este momento nadie puede atender su llamada. Por favor, deje un mensaje después de la señal.'
greet fr fr 'Bonjour. Personne ne peut répondre pour le moment. Veuillez laisser un message après le signal sonore.'
# In kana, because the synthesizer does not read Chinese characters in Japanese.
greet ja ja 'ただいま でんわに でることが できません。ぴーと いう おとの あとに、めっせーじを おねがい します。'
greet ar ar 'مَرْحَبًا. لَا يُمْكِنُنَا الرَّدُّ عَلَى مُكَالَمَتِكَ الآن. مِنْ فَضْلِكَ اتْرُكْ رِسَالَةً بَعْدَ الصَّافِرَة.'
