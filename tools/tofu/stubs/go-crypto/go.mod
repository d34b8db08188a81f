module github.com/ProtonMail/go-crypto

go 1.26.0
