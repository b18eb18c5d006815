import { expect, it } from 'vitest'
import { readSidebarCookie, sidebarCookie } from './sidebar-cookie.ts'

it('is open unless it was closed', () => {
  expect(readSidebarCookie('')).toBe(true)
  expect(readSidebarCookie('a=b; sidebar_state=true')).toBe(true)
  expect(readSidebarCookie('a=b; sidebar_state=false; c=d')).toBe(false)
})

it('is not fooled by a cookie of a similar name', () => {
  expect(readSidebarCookie('my_sidebar_state=false')).toBe(true)
})

it('is remembered for seven days', () => {
  expect(sidebarCookie(false)).toContain('sidebar_state=false')
  expect(sidebarCookie(false)).toContain('max-age=604800')
})
