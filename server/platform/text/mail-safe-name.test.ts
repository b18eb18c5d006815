import { expect, test } from 'vitest'
import { removeLinks, toMailSafeName } from './plain-text.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

test.each([
  ['Docks & Co', 'Docks & Co'],
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Großküche Süd 2.0', 'Großküche Süd 2.0'],
  ['release 1.4.2', 'release 1.4.2'],
  ['Acme Inc. Berlin', 'Acme Inc. Berlin'],
  ['日本語の名前', '日本語の名前'],
])('keeps an ordinary name: %s', (name, shown) => {
  expect(toMailSafeName(name)).toBe(shown)
})

test.each([
  ['Win money at https://evil.example/login?x=1 now', 'Win money at now'],
  ['HTTPS://EVIL.EXAMPLE', 'there'],
  ['hxxp://evil.example/a', 'there'],
  ['see www.evil.example', 'see'],
  ['evil.example/login', 'there'],
  ['evil.example:8443/login', 'there'],
  ['//evil.example', 'there'],
  ['mailto:eve@evil.example', 'there'],
  ['write eve@evil.example', 'write'],
  ['javascript:alert(1)', 'there'],
  ['evil.example', 'evil example'],
  ['pay-at.evil.co.uk', 'pay-at evil co uk'],
  ['evil。example', 'evil example'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil example'],
  ['пример.рф', 'пример рф'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd xn--p1ai'],
])('removes everything that mail clients turn into links: %s', (name, shown) => {
  expect(toMailSafeName(name)).toBe(shown)
})

test.each([
  ['Eve\r\nBcc: all@evil.example', 'Eve Bcc:'],
  ['Eve\u2028\u0085\u0000Bcc', 'Eve Bcc'],
  ['\u202eelpmaxe.live', 'elpmaxe live'],
  ['a\u200bb\u2066c\u2069\ufeff', 'abc'],
  ['\u001b]0;title\u0007Eve', 'Eve'],
  ['ev\u00adil.exa\u200dmple', 'evil example'],
])('is one line without invisible characters: %j', (name, shown) => {
  expect(toMailSafeName(name)).toBe(shown)
})

test('is short, and never split within a character', () => {
  expect(toMailSafeName('x'.repeat(200))).toBe(`${'x'.repeat(59)}…`)
  const cut = toMailSafeName('🚢'.repeat(100))
  expect(cut.length).toBeLessThanOrEqual(60)
  expect(Buffer.from(cut).toString()).toBe(cut)
})

test('keeps HTML as text', () => {
  expect(toMailSafeName('<b>Eve</b>')).toBe('<b>Eve</b>')
})

test('leaves no host name or line break for any input', () => {
  const parts = [
    'evil.example',
    'https://',
    'www.',
    '/',
    ' ',
    '\n',
    '\u202e',
    '@',
    '。',
    '.',
    'com',
    ':',
    '#',
    'a',
    '-',
    '１',
  ]
  let seed = 7
  const next = (most: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % most
  for (let round = 0; round < 3_000; round++) {
    const name = Array.from({ length: 1 + next(9) }, () => parts[next(parts.length)]).join('')
    const shown = toMailSafeName(name)
    expect(shown).not.toMatch(/[\p{L}\p{N}][.。]\p{L}{2}|:\/\/|[\r\n\u202e]/u)
    expect(shown.length).toBeLessThanOrEqual(60)
  }
})

test('is fast for any input', () => {
  const texts = ['a.'.repeat(10_000), 'a'.repeat(20_000), '-'.repeat(20_000), 'a@'.repeat(10_000)]
  expect(cpuTimeOf(() => texts.map((long) => removeLinks(long.slice(0, 300))))).toBeLessThan(2_000)
})
