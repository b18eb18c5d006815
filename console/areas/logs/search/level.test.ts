import { describe, expect, it } from 'vitest'
import { detectLevel } from './level.ts'
import { cpuTimeOf } from '../../../../test/support/run/cpu-time.ts'

describe('detectLevel', () => {
  it.each([
    ['time="2030-01-31T12:00:00Z" level=warning msg="slow"', 'warn'],
    ['level=error msg=x', 'error'],
    ['{"time":1,"level":"error","msg":"no"}', 'error'],
    ['{"level":30,"time":1700000000000,"msg":"listening"}', 'info'],
    ['{"level":60,"msg":"gone"}', 'error'],
    ['{"severity": "DEBUG", "message": "x"}', 'debug'],
    ['[ERROR] no such file', 'error'],
    ['2030/01/31 12:00:00 [notice] 1#1: start worker', 'info'],
    ['2030/01/31 12:00:00 [emerg] 1#1: bind() failed', 'error'],
    ['[2030-01-31 12:00:00 +0000] [7] [INFO] Listening', 'info'],
    ['2030-01-31 12:00:00,123 | WARN  | main | x', 'warn'],
    ['2030-01-31 12:00:00.000  WARN 1 --- [main] o.s.Boot : x', 'warn'],
    ['2030-01-31T12:00:00Z DEBUG hyper::proto: x', 'debug'],
    ['TRACE entering', 'trace'],
    ['INFO:root:hello', 'info'],
    ['2030-01-31 12:00:00 UTC [1] LOG:  database system is ready', 'info'],
    ['2030-01-31 12:00:00 UTC [9] FATAL:  password authentication failed', 'error'],
    ['E0102 15:04:05.000000       1 main.go:7] no', 'error'],
    ['W0102 15:04:05.000000       1 main.go:7] hm', 'warn'],
    ['error: cannot open', 'error'],
    ['Warning: this is old', 'warn'],
    ['TypeError: x is not a function', 'error'],
    ['java.lang.IllegalStateException: no', 'error'],
    ['npm ERR! code 1', 'error'],
    ['panic: runtime error', 'error'],
    ['[12/warn] x', 'warn'],
    ['error job=7', 'error'],
    ['warn  queue=mail size=90', 'warn'],
    ['2030-01-31T12:00:00.000Z\terror\tapp/main.go:7\tno', 'error'],
    ['2030-01-31T12:00:00.000Z info: listening', 'info'],
    ['2030-01-31 12:00:00 error cannot open', 'error'],
    ['2030-01-31 12:00:00,123 [main] ERROR com.acme.Shop - no', 'error'],
    ['E, [2030-01-31T12:00:00.123456 #7] ERROR -- : no', 'error'],
    ['[12:00:00.123] WARN (7): slow', 'warn'],
    ['ERRO[0007] no', 'error'],
    ['fail: Microsoft.Hosting.Lifetime[0]', 'error'],
    ['[2030-01-31 12:00:00] production.ERROR: no', 'error'],
    ['12:00PM ERR no', 'error'],
    ['{"@t":"2030-01-31T12:00:00Z","@l":"Error","@m":"no"}', 'error'],
    ['12:00:00.000 [error] GenServer terminating', 'error'],
    ['[12:00:00 ERR] no', 'error'],
    ['PHP Fatal error:  Uncaught Error: no', 'error'],
    ['PHP Warning:  Undefined variable', 'warn'],
    ['12:00:00.123 [main] ERROR com.acme.Shop - no', 'error'],
    ['{"message":"no","level":"error","timestamp":"2030-01-31T12:00:00Z"}', 'error'],
    ['{"level":"warn","ts":1700000000.1,"caller":"main.go:7","msg":"hm"}', 'warn'],
    ['I, [2030-01-31T12:00:00.123456 #7]  INFO -- : Started GET "/errors"', 'info'],
    ['ts=2030-01-31T12:00:00Z lvl=eror msg=no', 'error'],
  ])('detects in %j level %s', (line, level) => {
    expect(detectLevel(line)).toBe(level)
  })

  it.each([
    'GET /errors 200',
    'no errors were found',
    '    at Object.<anonymous> (file.js:1:1)',
    'Information is for everybody',
    'the level: see below',
    '[2030] a [main] b',
    'USER postgres',
    'error handling is on',
    'info desk opens at 9',
    '',
  ])('detects none in %j', (line) => {
    expect(detectLevel(line)).toBeUndefined()
  })

  it('is fast for any line', () => {
    const lines = ['['.repeat(1e6), 'a'.repeat(1e6), 'a.'.repeat(5e5), ' level'.repeat(2e5), 'E'.repeat(1e6)]
    expect(cpuTimeOf(() => lines.map((line) => detectLevel(line)))).toBeLessThan(2_000)
  })
})
