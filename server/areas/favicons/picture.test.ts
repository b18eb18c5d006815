import { expect, test } from 'vitest'
import { detectPictureType } from './picture.ts'

const svg = (inside: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`)
const rects = (count: number, attributes: string) => `<rect ${attributes}/>`.repeat(count)

test.each([
  ['a gradient for each path', svg(`<linearGradient id="a"/>${rects(40, 'fill="url(#a)"')}`)],
  [
    'colors in a style sheet',
    svg(
      '<style>.a{fill:#fff}.b{fill:url(#a)}@media (prefers-color-scheme:dark){.a{fill:#000}}</style><path class="a"/>',
    ),
  ],
  [
    'a mask, a filter and a clip path',
    svg('<g mask="url(#a)" filter="url(#b)"><g clip-path="url(#c)"/></g>'),
  ],
  ['an XML declaration', svg('<path/>', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Exported -->\n')],
])('takes an SVG with %s', (_, content) => {
  expect(detectPictureType(content)).toBe('image/svg+xml')
})

test.each([
  ['masks that multiply', svg(rects(7, 'mask="url(#a)"'))],
  ['a mask in a style sheet', svg('<style>rect{mask:url(#a)}</style>')],
  ['a hidden mask in a style sheet', svg('<style>rect{mask:u\\72l(#a)}</style>')],
  ['an entity for an attribute', svg('<rect style="mask:&#117;rl(#a)"/>')],
  ['entities', svg('&b;', '<!DOCTYPE svg [<!ENTITY b "<use/>">]>')],
  ['nested patterns', svg(`<pattern id="a">${rects(7, 'fill="url(#b)"')}</pattern>`)],
  ['parts of a name space', svg('<s:use href="#a"/>'.repeat(7))],
  ['animations', svg('<animate attributeName="mask" values="none;#a"/>')],
  ['a picture', svg('<image href="data:image/png;base64,AA"/>')],
  ['another encoding', svg('<u\u001b(Bse/>', '<?xml version="1.0" encoding="iso-2022-jp"?>')],
  ['a style sheet elsewhere', svg('<rect/>', '<?xml-stylesheet href="data:text/css,x"?>')],
  ['very many parts', svg(rects(10_000, ''))],
])('refuses an SVG with %s', (_, content) => {
  expect(detectPictureType(content)).toBeUndefined()
})

test('measures each picture of an icon', () => {
  const header = Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.alloc(18)])
  const png = (size: number) => {
    const content = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
    content.writeUInt32BE(size, 16)
    return content
  }
  expect(detectPictureType(Buffer.concat([header, png(32), png(256)]))).toBe('image/x-icon')
  expect(detectPictureType(Buffer.concat([header, png(32), png(60_000)]))).toBeUndefined()
  expect(detectPictureType(Buffer.from('GIF89a\xff\xff\x01\x00'.padEnd(40), 'latin1'))).toBeUndefined()
})
