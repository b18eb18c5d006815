import { environmentManager, QueryClientProvider } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { toast } from 'sonner'
import { queryClient } from '../../../console/lib/http/query-client.ts'
import { changeSettings, parseSettings } from '../../../console/lib/settings.ts'
import { Router, preload } from '../../../console/router.tsx'
import { Toaster } from '../../../console/ui/toaster.tsx'

// It may have been loaded before there was a document.
environmentManager.setIsServer(() => false)

let root: Root | undefined

/** Loads the console at the document's address, as main.tsx does. */
export function render(): void {
  forget()
  preload(window.location.pathname)
  // Without layout styles change nothing, but each is held against each element.
  for (const style of document.querySelectorAll('style')) style.remove()
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  root = createRoot(element)
  root.render(
    <QueryClientProvider client={queryClient}>
      <Router />
      <Toaster />
    </QueryClientProvider>,
  )
}

export function unmount(): void {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  toast.dismiss()
}

/** A browser that loads the console again has nothing left in memory, only what it stored. */
function forget() {
  const stored = Object.entries(sessionStorage)
  // As when another tab cleared the storage: caches and drafts are dropped.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  for (const [name, value] of stored) sessionStorage.setItem(name, String(value))
  const settings = localStorage.getItem('settings')
  changeSettings(parseSettings(settings))
  if (settings === null) localStorage.removeItem('settings')
  else localStorage.setItem('settings', settings)
}
