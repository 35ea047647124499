export { listen, type FakeServer, type ListenOptions } from './listen.ts'
