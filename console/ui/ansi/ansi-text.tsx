import { ansiCss } from './ansi-css.ts'
import { hasAnsi, parseAnsi } from './ansi.ts'

export const AnsiText = ({ children }: { children: string }) =>
  hasAnsi(children)
    ? parseAnsi(children).map(({ text, style }, index) => (
        // oxlint-disable-next-line no-array-index-key -- the pieces of a line have no other identity
        <span key={index} style={ansiCss(style)}>
          {text}
        </span>
      ))
    : children
