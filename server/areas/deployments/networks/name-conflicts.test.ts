import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { nameProblems } from '../../applications/networks.ts'
import { containersNamed, listModelHostNames, projectNameProblems } from './name-conflicts.ts'

const blog = { slug: 'blog' }

test.each([
  [{ hostname: 'shop' }],
  [{ hostname: 'SHOP' }],
  [{ container_name: 'Shop' }],
  [{ hostname: 'sh', domainname: 'op' }, 'sh.op'],
])('refuses %j, which another application already uses', (web, name = 'shop') => {
  const had = [{ name, who: 'application Shop' }]
  expect(nameProblems(listModelHostNames(blog, modelOf({ web })), had)).toEqual([
    expect.stringMatching(/^The service web would have .* but application Shop already uses it\./),
  ])
})

test('finds containers by name, ignoring case', () => {
  const containers = [
    { Names: ['/Blog-Web'], NetworkSettings: { Networks: { 'slipway-prj_1': {} } } },
    { Names: ['/other'], NetworkSettings: { Networks: {} } },
  ]
  expect(containersNamed(containers, ['blog-web'], 'slipway-prj_1')).toEqual([
    { name: 'Blog-Web', who: 'the container Blog-Web', isReached: true },
  ])
})

test('refuses custom host names in a project network', () => {
  const problems = (web: Record<string, unknown>, routed = ['web']) =>
    projectNameProblems(blog, modelOf({ web }), new Set(routed))
  expect(problems({ hostname: 'db' })).toEqual([
    'The hostname db of web could conflict with other hosts in the project network. Remove it from the compose file; other applications reach web at blog-web.',
  ])
  expect(problems({ container_name: 'api.example.com', domainname: 'example.com' })).toHaveLength(2)
  expect(problems({ hostname: 'Blog-Web' })).toEqual([])
  // A service that other applications cannot reach may have any host name.
  expect(problems({ hostname: 'db' }, [])).toEqual([])
})
