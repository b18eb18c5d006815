import { expect, test } from 'vitest'
import { runtimeCommands } from './apply.ts'
import { planProxy, type RoutedApplication, type RoutedInstance } from './plan.ts'
import { parseProxyState, type ProxyState } from './runtime-api.ts'

const planFor = (instances: RoutedInstance[], more: Partial<RoutedApplication> = {}) =>
  planProxy(
    {
      httpPorts: [80],
      httpsPorts: [443],
      certificates: [],
      challenges: [],
      trustedProxies: [],
      probeKey: '',
      applications: [
        {
          id: 'app_a',
          replicas: 1,
          maintenance: false,
          healthPath: null,
          domains: [{ service: '', host: 'a.example.com', path: '/', port: null, secure: null }],
          ports: [],
          instances,
          ...more,
        },
      ],
    },
    false,
  )

const head =
  '# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight srv_time_since_last_change srv_check_status srv_check_result srv_check_health srv_check_state srv_agent_state bk_f_forced_id srv_f_forced_id srv_fqdn srv_port srvrecord srv_use_ssl srv_check_port srv_check_addr srv_agent_addr srv_agent_port'
/** Returns the state of a proxy with these servers: address, port and admin state. */
function running(places: [string, number, number][], routes = '0x1 a.example.com/ app_a'): ProxyState {
  const lines = places.map(
    ([address, port, admin], at) =>
      `4 app_a ${at + 1} s${at + 1} ${address} 2 ${admin} 1 1 1 6 3 5 6 0 0 0 - ${port} - 0 0 - - 0`,
  )
  const info = 'Name: HAProxy\nPid: 12\ndescription: shape secrets\n'
  return parseProxyState([info, `1\n${head}\n${lines.join('\n')}`, routes, '', ''])
}
const at = (slot: number, serving = true): RoutedInstance => ({
  service: '',
  slot,
  serving,
  address: `10.0.0.${slot}`,
  port: 3000,
})

test('sends nothing if the state matches', () => {
  expect(running([])).toMatchObject({ pid: 12, shape: 'shape', secrets: 'secrets' })
  const now = running([
    ['10.0.0.1', 3000, 4],
    ['10.0.0.2', 3000, 12],
    ['0.0.0.0', 0, 5],
  ])
  expect(runtimeCommands(planFor([at(1), at(2, false)]), now)).toEqual([])
})

test('enables the new server before disabling the old one', () => {
  const now = running([
    ['10.0.0.1', 3000, 0],
    ['0.0.0.0', 0, 5],
  ])
  expect(runtimeCommands(planFor([at(1, false), at(2)]), now)).toEqual([
    ['set server app_a/s2 addr 10.0.0.2 port 3000', 'set server app_a/s2 state ready'],
    ['set server app_a/s1 state drain'],
  ])
})

test('clears the address of free slots, and disables a slot while its address changes', () => {
  expect(runtimeCommands(planFor([]), running([['10.0.0.1', 3000, 8]]))).toEqual([
    ['set server app_a/s1 state maint', 'set server app_a/s1 addr 0.0.0.0 port 0'],
  ])
  expect(runtimeCommands(planFor([at(1)]), running([['10.0.0.9', 3000, 0]]))).toEqual([
    [
      'set server app_a/s1 state maint',
      'set server app_a/s1 addr 10.0.0.1 port 3000',
      'set server app_a/s1 state ready',
    ],
  ])
  // If a reload removed the address of a server, draining must not restore it.
  expect(runtimeCommands(planFor([at(1, false)]), running([['0.0.0.0', 0, 5]]))).toEqual([])
})

test('updates maps at run time', () => {
  const routes = '0x1 a.example.com/ app_b\n0x2 old.example.com/ app_a'
  const domains = [
    { service: '', host: 'a.example.com', path: '/', port: null, secure: null },
    { service: '', host: 'a.example.com', path: '/api', port: null, secure: null },
  ]
  expect(runtimeCommands(planFor([], { domains }), running([], routes))).toEqual([
    [
      'set map /var/lib/slipway/proxy/routes.map a.example.com/ app_a',
      'add map /var/lib/slipway/proxy/routes.map a.example.com/api/ app_a',
      'del map /var/lib/slipway/proxy/routes.map old.example.com/',
    ],
  ])
})
