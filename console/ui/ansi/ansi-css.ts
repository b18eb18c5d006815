import type { CSSProperties } from 'react'
import { type AnsiStyle, type Color, plainStyle } from './ansi.ts'

/**
 * Returns the CSS of a style. Theme colors are used as they are; all other colors are adjusted until they are readable.
 */
export function ansiCss(style: AnsiStyle): CSSProperties | undefined {
  if (style === plainStyle) return undefined
  const ground = style.inverse ? (style.ink ?? 7) : style.ground
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ')
  return {
    // Only the text color of the theme is readable on any background, so a background overrides the color.
    ...(ground === undefined
      ? inkStyle(style)
      : { backgroundColor: `color-mix(in srgb, ${css(ground)} 25%, transparent)` }),
    ...(style.bold ? { fontWeight: 600 } : {}),
    ...(style.italic ? { fontStyle: 'italic' } : {}),
    ...(lines ? { textDecorationLine: lines } : {}),
  }
}

function inkStyle({ ink, dim }: AnsiStyle): CSSProperties {
  // Black text would vanish on the dark theme, so use bright black.
  if (ink !== undefined) return { color: css(ink === 0 ? 8 : ink) }
  return dim ? { color: 'var(--muted)' } : {}
}

function css(colour: Color): string {
  const named = typeof colour === 'number' ? names[colour] : undefined
  if (named) return `var(--ansi-${named})`
  const hex = typeof colour === 'number' ? numbered(colour) : colour
  return `oklch(from ${hex} clamp(var(--ansi-darkest), l, var(--ansi-lightest)) c h)`
}

const eight = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const names = [...eight, ...eight.map((name) => `bright-${name}`)]

/** Returns a numbered color. After the sixteen named colors come a cube of 6 × 6 × 6 colors and the grays. */
function numbered(colour: number): string {
  if (colour >= 232) return grey(8 + (colour - 232) * 10)
  const at = colour - 16
  return rgb(
    [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => (step === 0 ? 0 : 55 + step * 40)),
  )
}

const grey = (value: number) => rgb([value, value, value])
const rgb = (values: number[]) => `rgb(${values.join(' ')})`
