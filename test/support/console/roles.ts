import { computeAccessibleName } from 'dom-accessibility-api'
import { hidesItself, isExposed } from './visible.ts'

/** Elements that have a role without saying so. */
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

/** Elements with this role below one, in the order of the document. */
export function findByRole(below: ParentNode, role: string): Element[] {
  const selector = [`[role="${role}"]`, ...(native[role] ? [native[role]] : [])].join(', ')
  return [...below.querySelectorAll(selector)].filter(
    (element) => (element.getAttribute('role') ?? role) === role && isExposed(element),
  )
}

/** As a screen reader says it. */
export const accessibleName = (element: Element): string =>
  computeAccessibleName(element, {
    computedStyleSupportsPseudoElements: false,
    getComputedStyle: styleOf,
  })
    .replaceAll(/\s+/g, ' ')
    .trim()

const inline = new Set(['A', 'B', 'BDI', 'CODE', 'EM', 'I', 'KBD', 'LABEL', 'SPAN', 'STRONG', 'TIME', 'SVG'])
const asBlock = /(?:^|\s)(?:flex|grid|block|inline-flex|inline-block|inline-grid|truncate)(?:\s|$)/
/** What stands in one of these stands apart from its neighbours. */
const parting = /(?:^|\s)(?:inline-)?(?:flex|grid)(?:\s|$)/

/** Only what decides about names: whether it is displayed, and whether it stands apart. That of jsdom takes long. */
function styleOf(element: Element): CSSStyleDeclaration {
  const isInline =
    inline.has(element.tagName.toUpperCase()) &&
    !asBlock.test(element.getAttribute('class') ?? '') &&
    !parting.test(element.parentElement?.getAttribute('class') ?? '')
  const display = hidesItself(element) ? 'none' : isInline ? 'inline' : 'block'
  const values: Record<string, string> = { display, visibility: 'visible', content: 'none' }
  // The names are computed from these three alone.
  return { ...values, getPropertyValue: (name: string) => values[name] ?? '' } as never
}
