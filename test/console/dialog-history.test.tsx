import { useLayoutEffect } from 'react'
import type { Root } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDialog } from '../../console/lib/use-dialog.ts'
import { setAddress, showDocument } from '../support/console/document.ts'

let hide: () => void
let root: Root
let router: ReturnType<typeof createBrowserRouter>
/** As it was rendered last. */
let latest: ReturnType<typeof useDialog> | undefined

function Page() {
  const dialog = useDialog()
  useLayoutEffect(() => {
    latest = dialog
  })
  return null
}

beforeEach(async () => {
  hide = showDocument()
  // React DOM looks for a document when it is loaded.
  const { createRoot } = await import('react-dom/client')
  setAddress('http://localhost/')
  window.history.pushState(null, '', '/page')
  root = createRoot(document.createElement('div'))
  router = createBrowserRouter([{ path: '*', Component: Page }])
  root.render(<RouterProvider router={router} />)
})
afterEach(() => {
  root.unmount()
  router.dispose()
  latest = undefined
  hide()
})

/** What the page does now that its dialog is this one. */
const isAt = (address: string, dialog: string) =>
  vi.waitFor(() => {
    expect(window.location.pathname + window.location.search).toBe(address)
    if (latest?.dialog !== dialog) throw new Error(`The dialog is ${latest?.dialog}.`)
    return latest
  })
async function openFirst() {
  const page = await isAt('/page', '')
  page.open('first')
  return isAt('/page?dialog=first', 'first')
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a dialog that is closed twice stays on the page', async () => {
  const first = await openFirst()
  first.close()
  first.close()
  await isAt('/page', '')
  first.close()
  await settled()
  await isAt('/page', '')
})

test('a dialog that is closed late, when another has taken its place, closes nothing', async () => {
  const first = await openFirst()
  first.open('second')
  const second = await isAt('/page?dialog=second', 'second')
  first.close()
  await settled()
  await isAt('/page?dialog=second', 'second')
  second.close()
  first.close()
  await settled()
  await isAt('/page', '')
})

test('a dialog that is opened while the one before is closed is open, and going back closes it', async () => {
  const first = await openFirst()
  first.close()
  first.open('second')
  await settled()
  await isAt('/page?dialog=second', 'second')
  window.history.back()
  await isAt('/page', '')
})
