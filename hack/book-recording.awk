# Renders a transcript as a static SVG.
function escaped(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    return text
}
{ lines[NR] = substr($0, 1, 100) }
END {
    height = NR * 20 + 60
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 %d\" font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\">\n", height
    print "<title>Terminal session of the quick start</title>"
    print "<style>text{fill:#d6deeb;white-space:pre}.command{fill:#7fdbca;font-weight:bold}</style>"
    printf "<rect width=\"900\" height=\"%d\" rx=\"10\" fill=\"#0f1b2d\"/>\n", height
    print "<circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ff5f56\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#ffbd2e\"/><circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#27c93f\"/>"
    for (line = 1; line <= NR; line++) {
        is_command = lines[line] ~ /^\$ /
        printf "<text x=\"18\" y=\"%d\"%s>%s</text>\n", line * 20 + 38, is_command ? " class=\"command\"" : "", escaped(lines[line])
    }
    print "</svg>"
}
