import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { type Bus, connectBus } from './bus.ts'

const { connection, pool, drop } = await createTestDatabase()
afterAll(drop)

function newBus(options: object = {}): Bus & { said: string[] } {
  const said: string[] = []
  const note = (_: object, text: string) => void said.push(text)
  const bus = connectBus({ ...connection, ...options }, { debug: note, info: note, warn: note, error: note })
  onTestFinished(() => bus.close())
  return { ...bus, said }
}

const notify = (channel: string, payload: string) =>
  pool.query('select pg_notify($1, $2)', [channel, payload])
const killListeners = () =>
  pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'slipway listener' and datname = current_database()`,
  )

test('delivers messages of a channel until unsubscribed', async () => {
  const bus = newBus()
  const heard: string[] = []
  const leave = bus.on('one', (payload) => heard.push(`a ${payload}`))
  bus.on('one', (payload) => heard.push(`b ${payload}`))
  const leaveOther = bus.on('Another "channel"', (payload) => heard.push(`c ${payload}`))
  await bus.ready()
  expect(bus.connected()).toBe(true)
  await notify('one', '1')
  await notify('Another "channel"', '2')
  await vi.waitFor(() => expect(heard).toEqual(['a 1', 'b 1', 'c 2']))
  leave()
  leaveOther()
  await bus.ready()
  await notify('Another "channel"', '3')
  await notify('one', '4')
  await vi.waitFor(() => expect(heard).toEqual(['a 1', 'b 1', 'c 2', 'b 4']))
})

test('serializes many concurrent subscriptions', async () => {
  const warned: string[] = []
  const note = ({ message }: Error) => void warned.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const bus = newBus()
  await bus.ready()
  const heard: string[] = []
  for (const channel of ['p', 'q', 'r', 's']) bus.on(channel, (payload) => heard.push(`never ${payload}`))()
  for (const channel of ['p', 'q', 'r', 's'])
    bus.on(channel, (payload) => heard.push(`${channel} ${payload}`))
  await bus.ready()
  for (const channel of ['p', 'q', 'r', 's']) await notify(channel, '1')
  await vi.waitFor(() => expect(heard).toEqual(['p 1', 'q 1', 'r 1', 's 1']))
  expect(warned.filter((message) => message.includes('already executing a query'))).toEqual([])
})

test('reconnects, subscribes again and notifies listeners', async () => {
  const bus = newBus()
  const heard: string[] = []
  let reconnected = 0
  bus.onReconnect(() => reconnected++)
  bus.on('again', (payload) => heard.push(payload))
  await bus.ready()
  expect(reconnected).toBe(0)
  for (const time of [1, 2, 3]) {
    await killListeners()
    await vi.waitFor(() => expect(reconnected).toBe(time), { interval: 5 })
    await notify('again', String(time))
    await vi.waitFor(() => expect(heard).toHaveLength(time))
  }
  expect(heard).toEqual(['1', '2', '3'])
  expect(
    bus.said.filter((text) => text.startsWith('Resumed listening for database notifications')),
  ).toHaveLength(3)
})

test('keeps trying while the database is unreachable, logs once, and can be closed', async () => {
  const bus = newBus({ host: '/nowhere' })
  bus.on('never', () => {})
  await vi.waitFor(() => expect(bus.said).toHaveLength(1))
  await sleep(700)
  expect(bus.connected()).toBe(false)
  expect(bus.said).toEqual(['Failed to listen for database notifications; retrying'])
  const waiting = bus.ready()
  await bus.close()
  await waiting
})

test('closes its connection', async () => {
  const bus = newBus()
  await bus.ready()
  await bus.close()
  expect(bus.connected()).toBe(false)
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `select 1 from pg_stat_activity where application_name = 'slipway listener' and datname = current_database()`,
    )
    expect(rows).toEqual([])
  })
})
