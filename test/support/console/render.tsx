import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { toast } from 'sonner'
import { queryClient } from '../../../console/lib/http/query-client.ts'
import { changeSettings, parseSettings } from '../../../console/lib/local-settings.ts'
import { Router, preload } from '../../../console/router.tsx'
import { prefetchHome } from '../../../console/shell/prefetch-home.ts'

let root: Root | undefined

/** Mounts the console like main.tsx. */
export function render(): void {
  forget()
  preload(window.location.pathname)
  void prefetchHome(window.location)
  // Without layout, styles only cost time.
  for (const style of document.querySelectorAll('style')) style.remove()
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  root = createRoot(element)
  root.render(
    <QueryClientProvider client={queryClient}>
      <Router />
    </QueryClientProvider>,
  )
}

export function unmount(): void {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  toast.dismiss()
}

/** A reload keeps only stored data. */
function forget() {
  const stored = Object.entries(sessionStorage)
  // Simulates a storage cleared in another tab, which drops caches and drafts.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  for (const [name, value] of stored) sessionStorage.setItem(name, String(value))
  const settings = localStorage.getItem('settings')
  changeSettings(parseSettings(settings))
  if (settings === null) localStorage.removeItem('settings')
  else localStorage.setItem('settings', settings)
}
