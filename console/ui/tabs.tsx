import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'

interface TabsProps {
  label: string
  /** Tabs with a URL each. `end` marks the tab at the root of the page. */
  tabs: readonly { to: string; label: string; end?: boolean }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const at = tabs.findIndex(({ to, end }) => (end ? pathname === to : pathname.startsWith(to)))
  useEffect(() => {
    if (nav.current) show(nav.current, nav.current.children[at])
  }, [at])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="-mx-1 flex gap-1 overflow-x-auto border-b border-line px-1 [scrollbar-width:none]"
    >
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
          to={tab.to}
          end={tab.end ?? false}
          className="-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-2 font-medium text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent-ink aria-[current=page]:text-ink"
        >
          {tab.label}
        </NavLink>
      ))}
    </nav>
  )
}

/** Scrolls the active tab into view on phones. */
function show(nav: HTMLElement, current: Element | undefined) {
  if (!current) return
  const [all, tab] = [nav.getBoundingClientRect(), current.getBoundingClientRect()]
  nav.scrollLeft += tab.left - all.left - (all.width - tab.width) / 2
}
