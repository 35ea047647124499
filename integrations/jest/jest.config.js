module.exports = {
  // jsdom lacks fetch, Response and streams: this environment adds those of Node.
  testEnvironment: 'jest-fixed-jsdom',
  // The packages are ES modules, which Babel has to transform for Jest.
  transformIgnorePatterns: ['/node_modules/(?!(@headwater|@tanstack|rxjs)/)'],
}
