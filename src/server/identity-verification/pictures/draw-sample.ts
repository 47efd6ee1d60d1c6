import { toPng } from '../../kernel/draw-image.ts'

const [paper, card, line, dark] = [255, 224, 160, 64]
const [cardWidth, cardHeight] = [640, 400]
const [faceWidth, faceHeight] = [480, 600]

/** The letters that samples need: seven rows of five dots, the first dot in the highest bit. */
const letters: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  W: [17, 17, 17, 21, 21, 27, 17],
}

/** A plain card with two words on it. The back has no portrait. */
export function drawCard(word: string, outcome: string, side: 'front' | 'back'): Uint8Array {
  const canvas = createCanvas(cardWidth, cardHeight)
  canvas.rectangle(20, 20, 600, 360, card)
  if (side === 'front') {
    canvas.rectangle(48, 110, 170, 220, paper)
    drawPortrait(canvas, 133, 200, 45)
  } else canvas.rectangle(20, 60, 600, 60, dark)
  const left = side === 'front' ? 250 : 60
  for (const [index, width] of [320, 260, 300, 200].entries()) {
    canvas.rectangle(left, 150 + index * 36, width, 14, line)
  }
  canvas.text(word, 48, 44, 6)
  canvas.text(outcome, left, 310, 6)
  return canvas.toPng()
}

/** A head and shoulders with two words below. */
export function drawFace(word: string, outcome: string): Uint8Array {
  const canvas = createCanvas(faceWidth, faceHeight)
  canvas.rectangle(0, 0, faceWidth, faceHeight, card)
  drawPortrait(canvas, faceWidth / 2, 170, 110)
  canvas.text(word, 40, 470, 6)
  canvas.text(outcome, 40, 530, 6)
  return canvas.toPng()
}

function drawPortrait(canvas: Canvas, x: number, y: number, radius: number): void {
  canvas.disc(x, y, radius, line)
  canvas.rectangle(x - radius * 1.5, y + radius * 1.25, radius * 3, radius * 1.3, line)
  for (const side of [-1, 1])
    canvas.disc(x + side * radius * 0.4, y - radius * 0.2, radius / 9, dark)
  canvas.rectangle(x - radius * 0.35, y + radius * 0.45, radius * 0.7, radius / 10, dark)
}

interface Canvas {
  rectangle(left: number, top: number, width: number, height: number, shade: number): void
  disc(x: number, y: number, radius: number, shade: number): void
  text(words: string, left: number, top: number, dot: number): void
  toPng(): Uint8Array
}

function createCanvas(width: number, height: number): Canvas {
  const rows = Buffer.alloc((width + 1) * height, paper)
  for (let y = 0; y < height; y += 1) rows[y * (width + 1)] = 0
  const rectangle: Canvas['rectangle'] = (left, top, across, down, shade) => {
    for (let y = Math.round(top); y < Math.round(top + down); y += 1) {
      const start = y * (width + 1) + 1
      rows.fill(shade, start + Math.round(left), start + Math.round(left + across))
    }
  }
  return {
    rectangle,
    disc(x, y, radius, shade) {
      for (let row = -radius; row <= radius; row += 1) {
        const half = Math.sqrt(radius * radius - row * row)
        rectangle(x - half, y + row, 2 * half, 1, shade)
      }
    },
    text(words, left, top, dot) {
      for (const [place, letter] of [...words].entries()) {
        const rows = letters[letter]
        if (!rows) throw new Error(`there is no letter ${letter}`)
        for (const [row, dots] of rows.entries()) {
          for (let column = 0; column < 5; column += 1) {
            const isSet = (dots >> (4 - column)) & 1
            const x = left + (place * 6 + column) * dot
            if (isSet) rectangle(x, top + row * dot, dot, dot, dark)
          }
        }
      }
    },
    toPng: () => toPng(rows, width, height),
  }
}
