import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation } from 'react-router'

interface Section {
  id: string
  title: string
  element: HTMLElement
}

const Registry = createContext<((section: Section) => () => void) | null>(null)

/** Returns anchor and ref of a card. On a page with a list of sections, the card gets an entry there. */
export function useSectionAnchor(title: ReactNode) {
  const register = use(Registry)
  const ref = useRef<HTMLElement>(null)
  const text = register && typeof title === 'string' ? title : undefined
  const id = text?.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  useLayoutEffect(() => {
    if (!register || !ref.current || text === undefined || id === undefined) return undefined
    return register({ id, title: text, element: ref.current })
  }, [register, id, text])
  return { ref, id }
}

/** Long page of cards. Wide screens list the titles of the cards beside them. */
export function PageSections({ label, children }: { label: string; children: ReactNode }) {
  const [sections, setSections] = useState<readonly Section[]>([])
  const register = useCallback((section: Section) => {
    setSections((before) => [...before, section].toSorted(byPosition))
    return () => setSections((before) => before.filter((other) => other !== section))
  }, [])
  const current = useCurrentSection(sections)
  const { search } = useLocation()
  return (
    <div className="@container">
      <div className="grid gap-x-8 @4xl:grid-cols-[11.5rem_minmax(0,1fr)]">
        <nav
          aria-label={label}
          className="sticky top-18 -ml-2 max-h-[calc(100dvh-6rem)] self-start overflow-y-auto @max-4xl:hidden"
        >
          <ul className="flex flex-col gap-px">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <Link
                  to={{ search, hash: id }}
                  replace
                  preventScrollReset
                  aria-current={id === current ? 'location' : undefined}
                  className="flex min-h-7 items-center rounded-md px-2 py-1 text-sm font-medium text-muted -outline-offset-2 hover:bg-hover hover:text-ink active:bg-pressed aria-[current=location]:bg-pressed aria-[current=location]:text-ink"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div data-sections className="flex min-w-0 flex-col gap-6">
          <Registry value={register}>{children}</Registry>
        </div>
      </div>
    </div>
  )
}

const byPosition = (a: Section, b: Section) =>
  a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1

/** Distance from the top in pixels at which a section counts as read: below the bar of the page, with some space. */
const readingLine = 120

/**
 * Returns the section that is being read. The last sections never reach the top, so at the end of the page the selected
 * one counts.
 */
function useCurrentSection(sections: readonly Section[]): string | undefined {
  const { hash } = useLocation()
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    function update() {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      const chosen = sections.find(({ id }) => `#${id}` === hash)
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
      const isChosenShown = chosen && chosen.element.getBoundingClientRect().top > 0
      const read = sections.findLast(({ element }) => element.getBoundingClientRect().top < readingLine)
      setCurrent((isAtEnd ? (isChosenShown ? chosen : sections.at(-1)) : (read ?? sections[0]))?.id)
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [sections, hash])
  return current
}
