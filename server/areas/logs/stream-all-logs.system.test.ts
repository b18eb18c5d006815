import { expect, test } from 'vitest'
import { z } from 'zod'
import { streamAllLogs } from '../../../contract/logs.ts'
import { startLogStage, until, waiting } from '../../../test/support/stages/logs.ts'
import { openStream, type Stream } from '../../../test/support/clients/streams.ts'

const stage = await startLogStage()
const event = streamAllLogs.reply

async function open(containers: string[], query: Record<string, string> = {}) {
  const [base] = stage.urlOf('none').split('/containers/')
  const asked = new URLSearchParams({ containers: containers.join(','), ...query })
  return openStream(`${base}/logs?${asked}`, { authorization: `Bearer ${stage.token}` })
}

const said = (stream: Stream) =>
  stream.heard.flatMap(({ data }): [string, string][] => {
    const { container, event: words } = z.parse(event, data)
    if (words.type === 'end') return [[container, words.reason]]
    return words.type === 'lines' ? words.lines.map(({ text }) => [container, text]) : []
  })
const of = (stream: Stream, container: string) =>
  said(stream).flatMap(([from, text]) => (from === container ? [text] : []))

test('merges several logs, resumes each, and reports removed containers', async () => {
  const [one, other] = await Promise.all([
    stage.run(
      waiting('echo one; touch /done; sleep 1; rm /go; while [ ! -e /go ]; do sleep 0.1; done; echo more'),
    ),
    stage.run('echo other; exec sleep 1000'),
  ])
  const gone = 'f'.repeat(64)
  const stream = await open([one, other, gone])
  await until(() => expect(of(stream, other)).toEqual(['other']))
  await until(() => expect(of(stream, gone)).toEqual([expect.stringMatching(/\.$/)]))
  expect(of(stream, one)).toEqual([])
  await stage.go(one)
  await until(() => expect(of(stream, one)).toEqual(['one']))
  const id = stream.heard.findLast((heard) => heard.id !== '')?.id ?? ''
  stream.close()

  const again = await open([one, other], { last_event_id: id })
  await until(() => expect(again.heard.length).toBeGreaterThan(0))
  // The stream has closed its readers.
  await until(async () =>
    expect(await stage.host.exec('docker', 'exec', one, 'ls', '/')).not.toMatch(/^go$/m),
  )
  await stage.go(one)
  await until(() => expect(of(again, one)[0]).toBe('more'))
  expect(of(again, other)).toEqual([])
  again.close()
})

test('responds with 404 for a server of another workspace', async () => {
  const { team, slipway } = stage
  const given = { token: team.viewer.token, params: { id: 'srv_none' }, query: { containers: 'abc' } }
  await slipway.refused(streamAllLogs, given, 404)
})
