import { useLayoutEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDialog } from '../../console/lib/use-dialog.ts'
import { setAddress } from '../support/console/document.ts'

let root: Root
let router: ReturnType<typeof createBrowserRouter>
/** Last rendered state. */
let latest: ReturnType<typeof useDialog> | undefined

function Page() {
  const dialog = useDialog()
  useLayoutEffect(() => {
    latest = dialog
  })
  return null
}

beforeEach(() => {
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
})

/** Simulates what the page does with its dialog. */
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

test('stays on the page when a dialog is closed twice', async () => {
  const first = await openFirst()
  first.close()
  first.close()
  await isAt('/page', '')
  first.close()
  await settled()
  await isAt('/page', '')
})

test('keeps a new dialog when the previous one is closed late', async () => {
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

test('opens a dialog while the previous one closes, and closes it on back', async () => {
  const first = await openFirst()
  first.close()
  first.open('second')
  await settled()
  await isAt('/page?dialog=second', 'second')
  window.history.back()
  await isAt('/page', '')
})
