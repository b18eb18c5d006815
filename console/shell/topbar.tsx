import { PanelLeft, RefreshCw, Search } from 'lucide-react'
import { Breadcrumbs, useTrail } from '../ui/breadcrumbs.tsx'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/code.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { preloadPalette, useShell } from './shell-state.tsx'
import { modifier } from './shortcuts.tsx'

export function Topbar({ connected }: { connected: boolean }) {
  const { toggleSidebar, sidebarOpen, show } = useShell()
  const trail = useTrail()
  return (
    <div className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-page px-3">
      <Tooltip
        content={
          <>
            {sidebarOpen ? 'Collapse sidebar' : 'Expand sidebar'}{' '}
            <span className="opacity-70">{modifier} B</span>
          </>
        }
        side="bottom"
      >
        <Button variant="ghost" icon aria-label="Toggle the sidebar" onClick={toggleSidebar}>
          <PanelLeft aria-hidden />
        </Button>
      </Tooltip>
      <span className="h-4 w-px bg-line" aria-hidden />
      <Breadcrumbs crumbs={trail} />
      <p aria-live="polite" className="sr-only">
        {trail.at(-1)?.label}
      </p>
      <div className="ml-auto flex shrink-0 items-center gap-3">
        <output className="flex items-center gap-1.5 text-sm text-muted">
          {!connected && (
            <>
              <RefreshCw className="size-3.5 animate-spin" aria-hidden />
              Reconnecting…
            </>
          )}
        </output>
        <Button
          onClick={() => show('palette')}
          onPointerEnter={preloadPalette}
          onFocus={preloadPalette}
          className="max-sm:border-0 max-sm:bg-transparent max-sm:px-2"
        >
          <Search className="text-muted" aria-hidden />
          <span className="font-normal text-muted max-sm:sr-only">Search or jump to…</span>
          <span className="ml-4 flex gap-1 max-sm:hidden" aria-hidden>
            <Kbd>{modifier}</Kbd>
            <Kbd>K</Kbd>
          </span>
        </Button>
      </div>
    </div>
  )
}
