const path = require('node:path')
const { getDefaultConfig } = require('@react-native/metro-config')

const config = getDefaultConfig(__dirname)
module.exports = {
  ...config,
  // The index of React Native loads all of it, which takes minutes.
  resolver: {
    ...config.resolver,
    resolveRequest: (context, name, platform) =>
      name === 'react-native'
        ? { type: 'sourceFile', filePath: path.join(__dirname, 'reactNative.js') }
        : context.resolveRequest(context, name, platform),
  },
}
