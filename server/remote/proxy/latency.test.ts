import { expect, test } from 'vitest'
import { parseLatency } from './latency.ts'

test('reads the counters of each backend', () => {
  const table = `# table: latency, type: string, size:20480, used:2
0x5582b5b7e430: key=app_shop.80-web:x use=0 exp=0 gpc0=200 gpc1=133 gpc2=96 gpc3=7 gpc4=1 gpc5=0 gpc6=0 gpc7=0 gpc8=0 gpc9=0 gpc10=0 gpc11=0
0x5582b5b7e431: key=app_till use=1 exp=0 shard=0 gpc0=2 gpc1=0 gpc2=0 gpc3=0 gpc4=0 gpc5=0 gpc6=0 gpc7=0 gpc8=0 gpc9=0 gpc10=0 gpc11=1`
  expect(parseLatency(table)).toEqual(
    new Map([
      ['app_shop.80-web:x', [200, 133, 96, 7, 1, 0, 0, 0, 0, 0, 0, 0]],
      ['app_till', [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ]),
  )
})

test('reads none where the proxy has no such table yet', () => {
  expect(parseLatency('Unknown table.')).toEqual(new Map())
})
