import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { AnsiText } from './ansi-text.tsx'

it('renders colors, and few elements of a line that changes its color with each character', () => {
  expect(renderToStaticMarkup(<AnsiText>{'\u001b[31mno\u001b[0m ok'}</AnsiText>)).toBe(
    '<span style="color:var(--ansi-red)">no</span><span> ok</span>',
  )
  const markup = renderToStaticMarkup(<AnsiText>{'\u001b[31ma\u001b[32mb'.repeat(50_000)}</AnsiText>)
  expect(markup.match(/<span/g)?.length).toBe(1_001)
  expect(markup.replaceAll(/<[^>]+>/g, '')).toBe('ab'.repeat(50_000))
})
