import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { formatShare, Gauge, UsageBar } from './gauge.tsx'
import { Sparkline } from './sparkline.tsx'

test('tells assistive technology the name, the percentage and the figures', () => {
  for (const component of [UsageBar, Gauge]) {
    const html = renderToStaticMarkup(
      createElement(component, { label: 'Memory', share: 0.424, text: '3 of 8 GiB' }),
    )
    expect(html).toContain('role="meter" aria-label="Memory" aria-valuemin="0" aria-valuemax="100"')
    expect(html).toContain('aria-valuenow="42" aria-valuetext="42%, 3 of 8 GiB"')
  }
  const html = renderToStaticMarkup(createElement(UsageBar, { label: 'Disk', share: null }))
  expect(html).toContain('aria-valuetext="Unknown"')
})

test('never exceeds 100%', () => {
  expect([formatShare(1.2), formatShare(0), formatShare(null)]).toEqual(['100%', '0%', '–'])
})

test('a sparkline is an image with a name', () => {
  const html = renderToStaticMarkup(
    createElement(Sparkline, { label: 'Requests', values: [1, null], marks: [0.5] }),
  )
  expect(html).toContain('<svg role="img" aria-label="Requests"')
})
