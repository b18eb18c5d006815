import { describe, expect, it } from 'vitest'
import { ansiCss } from './ansi-css.ts'
import { plainStyle } from './ansi.ts'

const readable = (colour: string) =>
  `oklch(from ${colour} clamp(var(--ansi-darkest), l, var(--ansi-lightest)) c h)`

describe('ansiCss', () => {
  it('adds nothing to plain text', () => {
    expect(ansiCss(plainStyle)).toBeUndefined()
  })

  it('takes the sixteen colors from the theme', () => {
    expect(ansiCss({ ...plainStyle, ink: 1 })).toEqual({ color: 'var(--ansi-red)' })
    expect(ansiCss({ ...plainStyle, ink: 12 })).toEqual({ color: 'var(--ansi-bright-blue)' })
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
