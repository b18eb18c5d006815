import { expect, test } from 'vitest'
import { validateComposeFile } from './validate-compose-file.ts'
import { isCommandLine } from './value-rules.ts'

const errorsOf = (text: string) =>
  validateComposeFile(text, { env: [{ key: 'N', value: '3' }], profiles: [] })
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)

const inWeb = (line: string) => `services:\n  web:\n    image: nginx\n    ${line}\n  db: {image: postgres}\n`

test.each([
  ['mem_limit: "${UNSET}"', 'mem_limit must be a size, such as 512m or 1g. The value is empty'],
  ['mem_limit: foo', 'mem_limit must be a size'],
  ['mem_limit: 1Gi', 'mem_limit must be a size'],
  ['blkio_config: {device_read_bps: [{path: /dev/sda, rate: fast}]}', 'rate must be a size'],
  ['blkio_config: {weight: "${N}"}', 'weight must be a number without quotes or variables.'],
  ['volumes: [{type: tmpfs, target: /x, tmpfs: {mode: "0777"}}]', 'mode must be a number without quotes'],
  ['env_file: [{path: .env, required: "${N}"}]', 'required must be true or false.'],
  ['develop: {watch: [{path: "${UNSET}", action: rebuild}]}', 'path must be a path. The value is empty'],
  ['scale: -1', 'scale must be at least 0.'],
  ['network_mode: "service:${UNSET}"', 'Specify a service, such as service:db.'],
  ['uts: service:nope', 'The service nope is not defined'],
  ['build: {context: ., additional_contexts: {a: "service:nope"}}', 'The service nope is not defined'],
  ['build: {context: ., additional_contexts: ["a=service:nope"]}', 'The service nope is not defined'],
  ['build: {context: ., additional_contexts: {a: "service:db"}}', 'db has no build.'],
  ['build: {context: ., extra_hosts: [db]}', 'Invalid host. Use name:address'],
  ['build: {context: ., additional_contexts: [db]}', 'Invalid context. Use name=path'],
  ['build: {context: ., args: ["A =1"]}', 'The name of a variable cannot end with a space.'],
  ['environment: [A=1, "B = 2"]', 'The name of a variable cannot end with a space.'],
  ['build: {context: ., secrets: [nope]}', 'The secret nope is not defined'],
  ['platform: a/b\n    build: {context: ., platforms: [a/c]}', 'The platforms of a build must include'],
  [
    'scale: 2\n    extends: base\n  base: {image: a, deploy: {replicas: 3}}',
    'scale and deploy.replicas differ.',
  ],
  [
    'network_mode: host\n    extends: base\n  base: {image: a, networks: [default]}',
    'either network_mode or networks',
  ],
  ['<<: [[{restart: always}]]', 'Only a mapping or a list of mappings can be merged with <<.'],
  ['deploy: {resources: {limits: {cpus: "1,5"}}}', 'cpus must be a number.'],
  ['deploy: {replicas: "${UNSET}"}', 'replicas must be a whole number.'],
  ['deploy: {update_config: {delay: soon}}', 'delay must be a duration'],
  ['privileged: "1"', 'privileged must be true or false.'],
  ['tty: "${N}"', 'tty must be true or false.'],
  ['ulimits: {nofile: {soft: unlimited, hard: 1}}', 'soft must be a whole number.'],
  ['ports: [{target: "80-90"}]', 'target must be a whole number.'],
  ['volumes: [{type: tmpfs, target: /x, tmpfs: {size: big}}]', 'size must be a size'],
  ['gpus: [{count: some}]', 'count must be all or a whole number.'],
  ["command: it's", 'command must be a command as in a shell'],
  ['container_name: x', 'container_name must have at least two characters'],
  ['container_name: "${UNSET}"', 'container_name must have at least two characters'],
  ['devices: ["${UNSET}:/dev/dri"]', 'A device needs a path on the server, such as /dev/dri.'],
  ['devices: ["a:b:c:d"]', 'Invalid device. Use source:target:permissions'],
  ['extra_hosts: [db]', 'Invalid host. Use name:address'],
  ['healthcheck: {test: [curl, localhost]}', 'A list under test must start with CMD, CMD-SHELL or NONE.'],
  ['healthcheck: {retries: -1}', 'retries must be at least 0.'],
  ['deploy: {replicas: 3}\n    scale: 2', 'scale and deploy.replicas differ.'],
  ['mem_limit: 1g\n    deploy: {resources: {limits: {memory: 512m}}}', 'memory differ. Remove one'],
  ['container_name: shop\n    scale: 2', 'Only one container can have this name.'],
  [
    'build: {dockerfile: a, dockerfile_inline: FROM b}',
    'A build cannot set both dockerfile and dockerfile_inline.',
  ],
  ['secrets: [{source: s, mode: "0o440"}]', 'mode must be an octal number'],
  ['secrets: [{target: s}]', 'The secret  is not defined'],
  ['depends_on: {no: {condition: service_started, required: false}}', 'The service no is not defined'],
  ['healthcheck: {test: a, models: b}', 'models'],
  ['deploy: {provider: {type: a}}', 'provider'],
  ['links: ["db:a:b"]', 'The service db:a:b is not defined'],
  ['volumes: ["c:/x:/y"]', 'Docker Compose reads a letter before a colon as a Windows drive'],
  ['volumes: [{type: image, source: a, target: /x}]', 'Mounts of type image are not supported.'],
  ['volumes: [{type: tmpfs}]', 'A mount needs a target'],
  ['ports: ["192.0.2.1:80"]', 'Invalid port mapping.'],
  ['environment: {A: 2020-01-01}', 'but YAML reads it as a date. Put it in quotes.'],
  ['labels: {1: a}', 'Put this key in quotes, because YAML does not read it as text.'],
  ['command: "${N:-${UNSET:?say it}}"', 'Variable UNSET must be set: say it.'],
  ['command: &a.b x', 'The anchor &a.b can contain only letters, digits, _ and -.'],
  ['\n\t', 'YAML does not allow tabs. Indent with spaces.'],
  ['x-a: !!set {a}', 'The tag !!set is not supported.'],
])('tells what Docker Compose refuses: %j', (line, sentence) => {
  expect(errorsOf(inWeb(line)).join('\n')).toContain(sentence)
})

test.each([
  'volumes: {a: {external: true, driver: local}}',
  'volumes: {a: {external: {name: b}, name: c}}',
  'networks: {a: {internal: maybe}}',
])('tells what Docker Compose refuses outside services: %j', (line) => {
  expect(errorsOf(inWeb('').concat(line))).toHaveLength(1)
})

test.each([
  'cpus: "0.5"\n    mem_limit: "1.5g"\n    shm_size: "64 mb"\n    memswap_limit: -1\n    scale: "2"',
  'tty: "Yes"\n    init: "on"\n    privileged: "${UNSET:-false}"',
  'healthcheck: {test: [CMD, a], interval: 1m30s, timeout: 1w, retries: "3"}',
  'command: "sleep 1; echo it\'s"',
  'environment: {A: 0o17, B: 1_000, C: yes, D: .5, E: 12:30, F: "2020-01-01", on: 1}',
  'command: [\n    a,\n  b\n    ]',
  'labels: {a: b}\n    volumes: ["$PWD/data:/data", "${PWD}/x:/y"]',
  'container_name: "${COMPOSE_PROJECT_NAME}_web"',
  'container_name: "${UNSET}_web"',
  'tty: true\n      \t\n    init: true',
  'network_mode: host\n    networks: []',
  'environment: ["A= 1", "B", "C=a = b"]',
  'ports: ["0.0.0.0:81:80", "[::]:81:80"]',
  'ports:\n    extends: base\n  base: {image: a, ports: ["81:80"], profiles: [no]}',
  'networks: {default: {interface_name: eth1}}',
  'pull_policy: daily',
  'pull_policy: every_12h',
  'depends_on: {db: {condition: service_started, required: false}}',
  'volumes: [{type: volume, target: /x, volume: {labels: {a: b}}}]',
  'mem_limit: 1g\n    deploy: {resources: {limits: {memory: 1024M}}}',
  'x-made: 2020-01-01',
  '!!merge "<<": {restart: always}',
  "? !!merge '<<'\n    : [{restart: always}]",
  'use_api_socket: false',
  'build: {context: ., additional_contexts: ["a=service:b", "c=https://a.b/c.git"]}\n  b: {build: .}',
  'labels: {}\n  built: {image: "${UNSET}", build: .}',
])('accepts what Docker Compose accepts: %j', (line) => {
  expect(errorsOf(inWeb(line))).toEqual([])
})

test.each(['include: []', 'models: {}', 'secrets: {s: {external: true}}', 'configs: {c: {environment: NO}}'])(
  'accepts what no service uses: %j',
  (line) => {
    expect(errorsOf(inWeb('').concat(line))).toEqual([])
  },
)

test.each([
  ['a $(b) `c` "d\'(" \'e"\'', true],
  ["a; b'", true],
  ['a 2>&1 "', true],
  ['a \\" b', true],
  ['a "b\\""', true],
  ["'a\\'", true],
  ['a (b)', false],
  ['$(a', false],
  ['a `b', false],
  ['a \\', false],
  ["it's", false],
])('splits commands as Docker Compose does: %j', (text, isRight) => {
  expect(isCommandLine(text)).toBe(isRight)
})
