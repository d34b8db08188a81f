// Stands for React Native where there is no device: components without a screen, and a phone that never changes.
"use strict";

const listen = () => ({ remove() {} });
const screen = () => ({ width: 390, height: 844 });
const components = ["KeyboardAvoidingView", "Modal", "Pressable", "ScrollView", "Text", "TextInput", "TouchableOpacity", "View"];

module.exports = {
  ...Object.fromEntries(components.map((name) => [name, name])),
  AppState: { currentState: "active", addEventListener: listen },
  Dimensions: { get: screen },
  Keyboard: { addListener: listen, dismiss() {} },
  Linking: { canOpenURL: async () => false, getInitialURL: async () => null, openURL: async () => {} },
  Platform: { OS: "ios", Version: "18.0", select: (choices) => choices.ios ?? choices.default },
  StyleSheet: { create: (styles) => styles },
  UIManager: { hasViewManagerConfig: () => false },
  useWindowDimensions: screen,
};
