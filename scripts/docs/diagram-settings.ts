/** How Mermaid draws our diagrams. */
export const drawingSettings = {
  startOnLoad: false,
  deterministicIds: true,
  htmlLabels: false,
  // A wide font: texts that fit in it fit in the font of each reader.
  fontFamily: 'DejaVu Sans, Verdana, sans-serif',
  fontSize: 14,
  flowchart: { htmlLabels: false, nodeSpacing: 24, rankSpacing: 24, padding: 8 },
  sequence: {
    mirrorActors: false,
    diagramMarginX: 8,
    diagramMarginY: 8,
    actorMargin: 24,
    width: 130,
    height: 44,
    messageFontSize: 13,
    actorFontSize: 14,
    noteFontSize: 13,
    boxMargin: 8,
    messageMargin: 30,
  },
}
