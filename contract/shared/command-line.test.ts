import { expect, test } from 'vitest'
import { readCommandLine, writeCommandLine } from './command-line.ts'

test.each<[string, string[]]>([
  ['npm start', ['npm', 'start']],
  ['  node\n server.js\r\n', ['node', 'server.js']],
  [`sh -c 'a && echo "$HOME" | b'`, ['sh', '-c', 'a && echo "$HOME" | b']],
  [`say "it is \\"so\\"" --path="C:\\dir" '' a\\ b`, ['say', 'it is "so"', '--path=C:\\dir', '', 'a b']],
  [`--name='a 'b" c"`, ['--name=a b c']],
  ['node \\\n  server.js \\', ['node', 'server.js', '\\']],
  ['echo $HOME *.js | cat', ['echo', '$HOME', '*.js', '|', 'cat']],
  ['', []],
])('reads %j like a shell without interpretation', (text, words) => {
  expect(readCommandLine(text)).toEqual({ words, open: false })
})

test.each([`echo 'it`, 'echo "it'])('reports the unclosed quote of %j', (text) => {
  expect(readCommandLine(text)).toEqual({ words: ['echo', 'it'], open: true })
})

test.each([[[]], [['npm', 'start']], [['', ' ', `it's`, '"', 'a\\', 'two\nlines', '$x', '--a=b c']]])(
  'writes %j so that it reads back equal',
  (words) => {
    expect(readCommandLine(writeCommandLine(words)).words).toEqual(words)
  },
)
