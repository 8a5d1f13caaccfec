<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// read_vcards.php FILE: like read_vcards.py, with sabre/vobject, which also reports violations of the RFCs.

require 'Sabre/VObject/autoload.php';

// The library leaves escaped commas and semicolons to its callers.
function text($line) { return strtr((string)$line, ['\\\\' => '\\', '\\,' => ',', '\\;' => ';']); }

$cards = new Sabre\VObject\Splitter\VCard(fopen($argv[1], 'r'));
while ($card = $cards->getNext()) {
    foreach ($card->validate() as $problem) {
        fwrite(STDERR, $problem['message'] . "\n");
        exit(1);
    }
    $numbers = $notes = $photos = [];
    foreach ($card->select('TEL') as $line) $numbers[] = (string)$line;
    foreach ($card->select('NOTE') as $line) $notes[] = text($line);
    foreach ($card->select('PHOTO') as $line) {
        $parts = explode(';base64,', (string)$line);
        $photos[] = strlen(base64_decode(end($parts)));
    }
    echo json_encode([text($card->FN), $numbers, implode("\n", $notes), $photos]), "\n";
}
