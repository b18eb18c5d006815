import { computeAccessibleName } from 'dom-accessibility-api'
import { hidesItself, isExposed } from './visible.ts'

/** Implicit roles. */
const native: Record<string, string> = {
  article: 'article',
  button: 'button, summary, input:is([type=button], [type=submit], [type=reset])',
  cell: 'td',
  checkbox: 'input[type=checkbox]',
  columnheader: 'th:not([scope=row])',
  combobox: 'select:not([multiple])',
  definition: 'dd',
  dialog: 'dialog',
  group: 'fieldset, details',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img:not([alt=""])',
  link: 'a[href]',
  list: 'ul, ol',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  option: 'option',
  progressbar: 'progress',
  radio: 'input[type=radio]',
  region: 'section:is([aria-label], [aria-labelledby])',
  row: 'tr',
  rowheader: 'th[scope=row]',
  searchbox: 'input[type=search]',
  status: 'output',
  table: 'table',
  term: 'dt',
  textbox: 'textarea, input:is(:not([type]), [type=text], [type=email], [type=url], [type=tel])',
}

/** In document order. */
export function findByRole(below: ParentNode, role: string): Element[] {
  const selector = [`[role="${role}"]`, ...(native[role] ? [native[role]] : [])].join(', ')
  return [...below.querySelectorAll(selector)].filter(
    (element) => (element.getAttribute('role') ?? role) === role && isExposed(element),
  )
}

/** Accessible name, as a screen reader computes it. */
export const accessibleName = (element: Element): string =>
  computeAccessibleName(element, {
    computedStyleSupportsPseudoElements: false,
    getComputedStyle: styleOf,
  })
    .replaceAll(/\s+/g, ' ')
    .trim()

const inline = new Set(['A', 'B', 'BDI', 'CODE', 'EM', 'I', 'KBD', 'LABEL', 'SPAN', 'STRONG', 'TIME', 'SVG'])
const asBlock = /(?:^|\s)(?:flex|grid|block|inline-flex|inline-block|inline-grid|truncate)(?:\s|$)/
/** Children of these are separated in the accessible name. */
const parting = /(?:^|\s)(?:inline-)?(?:flex|grid)(?:\s|$)/

/** Only properties that affect names, because jsdom's version is slow. */
function styleOf(element: Element): CSSStyleDeclaration {
  const isInline =
    inline.has(element.tagName.toUpperCase()) &&
    !asBlock.test(element.getAttribute('class') ?? '') &&
    !parting.test(element.parentElement?.getAttribute('class') ?? '')
  const display = hidesItself(element) ? 'none' : isInline ? 'inline' : 'block'
  const values: Record<string, string> = { display, visibility: 'visible', content: 'none' }
  // The algorithm reads only these three properties.
  return { ...values, getPropertyValue: (name: string) => values[name] ?? '' } as never
}
