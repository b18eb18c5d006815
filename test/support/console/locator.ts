import { setTimeout as sleep } from 'node:timers/promises'
import { accessibleName, findByRole } from './roles.ts'
import { click, fill, press, type } from './acts.ts'
import { until } from './until.ts'
import { isVisible } from './visible.ts'

type Text = string | RegExp

interface Match {
  /** Matches the whole text instead of a part. */
  exact?: boolean
}

export interface Scope {
  getByRole(role: string, options?: Match & { name?: Text; level?: number }): Locator
  getByText(text: Text, options?: Match): Locator
  getByLabel(text: Text, options?: Match): Locator
  getByPlaceholder(text: Text, options?: Match): Locator
  locator(selector: string, options?: { hasText?: Text }): Locator
}

/** Lazy locators with the rules of Playwright. */
export interface Locator extends Scope {
  elements(): Element[]
  filter(options: { hasText: Text } | { has: Locator }): Locator
  first(): Locator
  last(): Locator
  nth(at: number): Locator
  count(): Promise<number>
  all(): Promise<Locator[]>
  allTextContents(): Promise<string[]>
  textContent(): Promise<string>
  inputValue(): Promise<string>
  getAttribute(name: string): Promise<string | null>
  isDisabled(): Promise<boolean>
  isChecked(): Promise<boolean>
  isFocused(): Promise<boolean>
  click(): Promise<void>
  dblclick(): Promise<void>
  fill(value: string): Promise<void>
  press(keys: string): Promise<void>
  pressSequentially(text: string): Promise<void>
  focus(): Promise<void>
  check(): Promise<void>
  uncheck(): Promise<void>
  waitFor(options?: { state?: 'visible' | 'hidden' | 'attached'; timeout?: number }): Promise<void>
}

export function scopeOf(roots: () => ParentNode[]): Scope {
  const find = (words: string, look: (root: ParentNode) => Element[]) =>
    locatorOf(words, () => [...new Set(roots().flatMap(look))])
  return {
    getByRole: (role, { name, exact, level } = {}) =>
      find(`${role} ${name ?? ''}`, (root) =>
        findByRole(root, role).filter(
          (one) =>
            (level === undefined || one.tagName === `H${level}`) &&
            (name === undefined || fits(accessibleName(one), name, exact)),
        ),
      ),
    getByText: (text, { exact } = {}) =>
      find(`text ${text}`, (root) => smallest(root, (one) => fits(textOf(one), text, exact))),
    getByLabel: (text, { exact } = {}) =>
      find(`label ${text}`, (root) =>
        [...root.querySelectorAll(labelled)].filter((one) => fits(labelOf(one), text, exact)),
      ),
    getByPlaceholder: (text, { exact } = {}) =>
      find(`placeholder ${text}`, (root) =>
        [...root.querySelectorAll('[placeholder]')].filter((one) =>
          fits(one.getAttribute('placeholder') ?? '', text, exact),
        ),
      ),
    locator: (selector, { hasText } = {}) =>
      find(selector, (root) =>
        [...root.querySelectorAll(selector)].filter(
          (one) => hasText === undefined || fits(textOf(one), hasText),
        ),
      ),
  }
}

function locatorOf(words: string, elements: () => Element[]): Locator {
  const narrowed = (how: string, narrow: (found: Element[]) => (Element | undefined)[]) =>
    locatorOf(`${words}, ${how}`, () => narrow(elements()).filter((one) => one !== undefined))

  /** Waits for exactly one element. */
  const one = (ready: (element: Element) => boolean = () => true, timeout?: number) =>
    until(() => {
      const found = elements()
      const [element] = found
      if (found.length > 1) throw new Error(`${words}: ${found.length} elements, of which none is meant.`)
      if (!element) throw new Error(`${words}: there is none.`)
      if (!ready(element)) throw new Error(`${words}: it is hidden or disabled.`)
      return element
    }, timeout)

  const control = async () => {
    const element = await one()
    const isControl =
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
    if (!isControl) throw new Error(`${words}: it is no field.`)
    return element
  }

  const clickOne = async (times?: number) => {
    await one(isReady)
    await settle()
    await click(await one(isReady), times)
  }

  const setChecked = async (checked: boolean) => {
    if (isOn(await one()) !== checked) await clickOne()
  }

  return {
    ...scopeOf(elements),
    elements,
    filter: (options) =>
      narrowed('filtered', (found) =>
        'has' in options
          ? found.filter((element) => options.has.elements().some((inner) => element.contains(inner)))
          : found.filter((element) => fits(textOf(element), options.hasText)),
      ),
    first: () => narrowed('first', (found) => [found[0]]),
    last: () => narrowed('last', (found) => [found.at(-1)]),
    nth: (at) => narrowed(`number ${at}`, (found) => [found[at]]),
    count: async () => elements().length,
    all: async () => elements().map((_, at) => narrowed(`number ${at}`, (found) => [found[at]])),
    allTextContents: async () => elements().map(({ textContent }) => textContent),
    textContent: async () => (await one()).textContent,
    inputValue: async () => (await control()).value,
    getAttribute: async (name) => (await one()).getAttribute(name),
    isDisabled: async () => !isEnabled(await one()),
    isChecked: async () => isOn(await one()),
    isFocused: async () => (await one()) === document.activeElement,
    click: () => clickOne(),
    dblclick: () => clickOne(2),
    fill: async (value) => fill(await one((element) => isReady(element) && isText(element)), value),
    async press(keys) {
      focus(await one(isReady))
      await press(keys)
    },
    async pressSequentially(text) {
      focus(await one(isReady))
      await type(text)
    },
    focus: async () => focus(await one(isVisible)),
    check: () => setChecked(true),
    uncheck: () => setChecked(false),
    async waitFor({ state = 'visible', timeout } = {}) {
      if (state !== 'hidden') await one(state === 'visible' ? isVisible : undefined, timeout)
      else
        await until(() => {
          const shown = elements().filter(isVisible)
          if (shown.length > 0) throw new Error(`${words}: it is still there.`)
        }, timeout)
    },
  }
}

/** Lets a closing dialog finish its navigation and focus changes first, which takes a few turns. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await sleep(2)
}

const fits = (text: string, wanted: Text, exact = false) =>
  typeof wanted !== 'string'
    ? wanted.test(text)
    : exact
      ? text === clean(wanted)
      : text.toLowerCase().includes(clean(wanted).toLowerCase())

const clean = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const textOf = (element: Element) => clean(element.textContent)

/** Innermost elements with a matching text. */
function smallest(root: ParentNode, fitting: (element: Element) => boolean): Element[] {
  return [...root.children].flatMap((child) => {
    if (child.tagName === 'SCRIPT' || child.tagName === 'STYLE' || !holds(child, fitting)) return []
    const inside = smallest(child, fitting)
    return inside.length > 0 || !fitting(child) ? inside : [child]
  })
}

/** A parent may not match although a child does, with an anchored pattern or exact text. */
const holds = (element: Element, fitting: (element: Element) => boolean) =>
  element.childElementCount > 0 || fitting(element)

const labelled = 'input, textarea, select, button, [aria-label], [aria-labelledby]'

function labelOf(element: Element): string {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const named = ids.flatMap((id) => document.getElementById(id)?.textContent ?? [])
  const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
  const texts = named.length > 0 ? named : labels.map(({ textContent }) => textContent)
  return clean(texts.length > 0 ? texts.join(' ') : (element.getAttribute('aria-label') ?? ''))
}

const isEnabled = (element: Element) =>
  !element.matches(':disabled') && element.closest('[aria-disabled="true"]') === null
const isText = (element: Element) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
const isReady = (element: Element) => isVisible(element) && isEnabled(element)
const isOn = (element: Element) =>
  element instanceof HTMLInputElement ? element.checked : element.getAttribute('aria-checked') === 'true'

function focus(element: Element) {
  if (element instanceof HTMLElement) element.focus()
}
