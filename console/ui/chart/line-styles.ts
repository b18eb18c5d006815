export interface LineStyle {
  /** Name of a custom property, so that the color follows the theme. */
  color: string
  /** Lengths of dashes and spaces in pixels. A length of 0 is a dot, because the ends are round. */
  dash: readonly number[]
  width: number
  opacity: number
}

const solid: LineStyle = { color: '--accent-ink', dash: [], width: 2, opacity: 1 }
const long: LineStyle = { color: '--muted', dash: [8, 5], width: 1.5, opacity: 1 }
const dots: LineStyle = { color: '--ink', dash: [0, 4.5], width: 2.25, opacity: 1 }
const dashDot: LineStyle = { color: '--red-ink', dash: [9, 4.5, 0, 4.5], width: 2, opacity: 1 }
const short: LineStyle = { color: '--accent-ink', dash: [3, 4], width: 1.5, opacity: 1 }

/**
 * Styles by position of the line. Dashes and width distinguish the lines without color. The fourth line shows errors,
 * unless all lines show the same kind of value.
 */
const styles = [solid, long, dots, dashDot, short]
const alikeStyles = [solid, long, dots, { ...dashDot, color: '--muted' }, short]

export const lineStyle = (line: number, alike: boolean): LineStyle =>
  (alike ? alikeStyles : styles)[line] ?? { ...solid, color: '--ink', width: 1 }

/** Returns the style of the same line one day earlier: faint, thin and always dashed. */
export const earlierStyle = (style: LineStyle): LineStyle => ({
  ...style,
  dash: style.dash.length === 0 ? [4, 4] : style.dash,
  width: style.width * 0.75,
  opacity: 0.5,
})

/** Space in pixels that axes and padding leave for the lines. */
export const plotArea = { height: 144, left: 68, right: 18, top: 8, bottom: 24 } as const
