import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { useMedia } from '../lib/use-media.ts'
import { readSidebarCookie, sidebarCookie } from './sidebar-cookie.ts'
import { lazyPage } from '../lib/lazy-page.tsx'

export type Overlay = 'palette' | 'shortcuts' | undefined

interface ShellState {
  phone: boolean
  sidebarOpen: boolean
  toggleSidebar: () => void
  closeSheet: () => void
  overlay: Overlay
  show: (overlay: Overlay) => void
}

const Context = createContext<ShellState | undefined>(undefined)

export function useShell(): ShellState {
  const state = use(Context)
  if (!state) throw new Error('useShell requires ShellStateProvider.')
  return state
}

export function ShellStateProvider({ children }: { children: ReactNode }) {
  const phone = useMedia('(max-width: 768px)')
  const [wide, setWide] = useState(() => readSidebarCookie(document.cookie))
  const [sheet, setSheet] = useState(false)
  const [overlay, show] = useState<Overlay>()

  const toggleSidebar = useCallback(() => {
    if (phone) return setSheet((open) => !open)
    // oxlint-disable-next-line no-document-cookie -- the Cookie Store API is not available in all browsers
    document.cookie = sidebarCookie(!wide)
    return setWide(!wide)
  }, [phone, wide])
  const closeSheet = useCallback(() => setSheet(false), [])

  const state = useMemo(
    () => ({ phone, sidebarOpen: phone ? sheet : wide, toggleSidebar, closeSheet, overlay, show }),
    [phone, sheet, wide, toggleSidebar, closeSheet, overlay],
  )
  return <Context value={state}>{children}</Context>
}

/** Command palette in a chunk of its own. Hovering its button preloads it, so that it opens immediately. */
export const LazyPalette = lazyPage(async () => (await import('./palette.tsx')).Palette)

export const preloadPalette = () => void LazyPalette.preload()
