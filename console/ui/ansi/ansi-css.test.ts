import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ansiCss } from './ansi-css.ts'
import { plainStyle } from './ansi.ts'

const readable = (colour: string) =>
  `oklch(from ${colour} clamp(var(--ansi-darkest), l, var(--ansi-lightest)) c h)`

const themeFile = new URL('../../theme.css', import.meta.url)
const colorOf = (css: string, name: string) => new RegExp(`--${name}: #(\\w{6});`).exec(css)?.[1] ?? ''

function luminance(hex: string) {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string) {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('ansiCss', () => {
  it('adds nothing to plain text', () => {
    expect(ansiCss(plainStyle)).toBeUndefined()
  })

  it('takes the sixteen colors from the theme', () => {
    expect(ansiCss({ ...plainStyle, ink: 1 })).toEqual({ color: 'var(--ansi-red)' })
    expect(ansiCss({ ...plainStyle, ink: 12 })).toEqual({ color: 'var(--ansi-bright-blue)' })
  })

  it.each(['light', 'dark'])('has readable colors in the %s theme', (theme) => {
    const [, light = '', dark = ''] = readFileSync(themeFile, 'utf8').split(
      /(?:^:root|\[data-theme='dark'\]) \{/m,
    )
    const color = (name: string) => colorOf(theme === 'dark' ? dark : light, name)
    const inks = Array.from({ length: 16 }, (_, ink) => ansiCss({ ...plainStyle, ink })?.color ?? '')
    const faint = inks.flatMap((ink) =>
      ['page', 'subtle', 'red-soft'].flatMap((ground) => {
        const contrast = contrastOf(color(ink.slice(6, -1)), color(ground))
        return contrast >= 4.5 ? [] : [`${ink} on ${ground}: ${contrast.toFixed(2)}`]
      }),
    )
    expect(faint).toEqual([])
  })

  it.each([
    [16, 'rgb(0 0 0)'],
    [196, 'rgb(255 0 0)'],
    [208, 'rgb(255 135 0)'],
    [231, 'rgb(255 255 255)'],
    [232, 'rgb(8 8 8)'],
    [255, 'rgb(238 238 238)'],
    ['#ff7f00', '#ff7f00'],
  ] as const)('makes %s readable', (ink, colour) => {
    expect(ansiCss({ ...plainStyle, ink })).toEqual({ color: readable(colour) })
  })

  it('uses no colored text on a colored background', () => {
    const ground = { backgroundColor: 'color-mix(in srgb, var(--ansi-red) 25%, transparent)' }
    expect(ansiCss({ ...plainStyle, ink: 7, ground: 1 })).toEqual(ground)
    expect(ansiCss({ ...plainStyle, ink: 1, inverse: true })).toEqual(ground)
  })

  it('supports the other attributes', () => {
    expect(
      ansiCss({ ...plainStyle, bold: true, italic: true, underline: true, strike: true, dim: true }),
    ).toEqual({
      color: 'var(--muted)',
      fontWeight: 600,
      fontStyle: 'italic',
      textDecorationLine: 'underline line-through',
    })
  })
})
