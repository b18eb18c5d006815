import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../test/support/run/campaign.ts'
import {
  command,
  encodeEnvironment,
  encodeScript,
  quoteForShell,
  runWithEnvironment,
  stdinScript,
  toArgv,
} from './command.ts'

const shells = [['dash'], ['bash', '--norc'], ['bash', '--norc', '--posix'], ['busybox', 'sh']] as const

const special = '\'"\\$`!#~*?[]{}()<>|&;=-%^ \t\n\r\u0001é'.split('')

/** Any argument without NUL, with many shell metacharacters. */
const word = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom(...special, '🚢') }),
)
const name = fc
  .stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,8}$/)
  .filter((text) => !reserved.has(text.toUpperCase()))
/** Variables that shells reserve. */
const reserved = new Set(
  'PATH PWD OLDPWD SHLVL UID EUID PPID IFS ENV HOME RANDOM LINENO SECONDS'
    .split(' ')
    .concat('OPTIND', 'OPTARG', 'PS1', 'PS2', 'PS4', 'LANG'),
)

const ask = ([shell, ...options]: readonly string[], args: string[], input = '') =>
  execFileSync(shell ?? '', [...options, ...args], {
    input,
    env: { PATH: process.env['PATH'] ?? '' },
  }).toString()

describe.each(shells.map((shell) => ({ shell, name: shell.join(' ') })))('$name', ({ shell: given }) => {
  test('passes quoted arguments unchanged', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const said = ask(given, ['-c', quoteForShell(['printf', '%s\\0', 'begin', ...words])])
        expect(said).toBe(['begin', ...words.map(wellFormed), ''].join('\0'))
      }),
      { numRuns: times(15, 60) },
    )
  })

  test('passes variables unchanged and leaves the rest of the input', () => {
    fc.assert(
      fc.property(fc.dictionary(name, word, { maxKeys: 4 }), word, (env, input) => {
        const print = 'for name; do printenv "$name"; printf "\\0"; done; cat'
        const words = ['-c', runWithEnvironment, 'sh', 'sh', '-c', print, 'sh', ...Object.keys(env)]
        const values = Object.values(env).map((value) => `${wellFormed(value)}\n\0`)
        expect(ask(given, words, encodeEnvironment(env) + input)).toBe(values.join('') + wellFormed(input))
      }),
      { numRuns: times(15, 60) },
    )
  })

  test.each([
    ['echo a; echo "b  c"', 'a\nb  c\n'],
    ['for n in 1 2; do\n  echo .$n\ndone\n\n', '.1\n.2\n'],
    ["cat <<'EOF'\n.end\nend\n\\\nEOF\necho ⛵", '.end\nend\n\\\n⛵\n'],
    ['cat; break 2>/dev/null; echo "$#:$0"', '0:sh\n'],
    ['echo a\\', 'a\\\n'],
    ['echo "a\r\nb"', 'a\r\nb\n'],
    ['', ''],
  ])('runs the text %j without an argument', (text, said) => {
    expect(ask(given, ['-c', stdinScript, 'sh'], encodeScript(text))).toBe(said)
  })

  test('exits with the code of the text, and does not run an incomplete one', () => {
    const codeOf = (input: string) => {
      try {
        ask(given, ['-c', stdinScript], input)
        return 0
      } catch (error) {
        return error instanceof Error && 'status' in error ? error.status : error
      }
    }
    expect(codeOf(encodeScript('false'))).toBe(1)
    expect(codeOf(encodeScript('exit 7'))).toBe(7)
    expect(codeOf('.exit 7\n')).toBe(255)
    expect(codeOf('.exit 7\nen')).toBe(255)
  })

  test('does not run a program with incomplete variables', () => {
    expect(() => ask(given, ['-c', runWithEnvironment, 'sh', 'echo', 'ran'], '=A=1\n=B=')).toThrow(
      'Command failed',
    )
  })
})

/** Lone surrogates cannot be sent as UTF-8. */
const wellFormed = (text: string) => Buffer.from(text).toString()

describe('arguments', () => {
  test('use sudo only when root is needed and the user is another', () => {
    const wanted = { ...command('id', '-u'), asRoot: true }
    expect(toArgv(command('id'), { isRoot: false })).toEqual(['id'])
    expect(toArgv(wanted, { isRoot: true })).toEqual(['id', '-u'])
    expect(toArgv(wanted, { isRoot: false })).toEqual(['sudo', '-n', '--', 'id', '-u'])
    expect(toArgv({ ...wanted, env: { A: '1', B: '2' } }, { isRoot: false })).toEqual([
      'sudo',
      '-n',
      '--preserve-env=A,B',
      '--',
      'id',
      '-u',
    ])
  })

  test('that no program can receive are refused', () => {
    expect(() => toArgv(command('echo', 'a\0b'), { isRoot: true })).toThrow('NUL')
    expect(() => encodeEnvironment({ A: 'a\0b' })).toThrow('NUL')
    expect(() => encodeEnvironment({ 'A=1;reboot': '' })).toThrow('cannot be the name')
  })
})
