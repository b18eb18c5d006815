import { ansiCss } from './ansi-css.ts'
import { type AnsiPiece, hasAnsi, parseAnsi, plainStyle } from './ansi.ts'

export const AnsiText = ({ children }: { children: string }) =>
  hasAnsi(children)
    ? firstPieces(parseAnsi(children)).map(({ text, style }, index) => (
        // oxlint-disable-next-line no-array-index-key -- pieces of a line have no other identity
        <span key={index} style={ansiCss(style)}>
          {text}
        </span>
      ))
    : children

/**
 * Maximum number of elements per line. A program can change the color with each character, which would freeze the page.
 */
const mostPieces = 1_000

function firstPieces(pieces: AnsiPiece[]): AnsiPiece[] {
  if (pieces.length <= mostPieces) return pieces
  const rest = pieces.slice(mostPieces).map(({ text }) => text)
  return [...pieces.slice(0, mostPieces), { text: rest.join(''), style: plainStyle }]
}
