// Answers each request with every string that Go's net/http hands to a handler.
//
//	go run reader.go PORT
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type seen struct{ pairs [][2]string }

func (s *seen) text(where, value string) {
	s.pairs = append(s.pairs, [2]string{where, strings.ToValidUTF8(value, "\ufffd")})
}

func (s *seen) value(where string, value any) {
	switch v := value.(type) {
	case string:
		s.text(where, v)
	case []any:
		for _, one := range v {
			s.value(where, one)
		}
	case map[string]any:
		for name, one := range v {
			s.text(where+" name", name)
			s.value(where, one)
		}
	}
}

func (s *seen) values(where string, values url.Values) {
	for name, list := range values {
		s.text(where+" name", name)
		for _, one := range list {
			s.text(where, one)
		}
	}
}

func (s *seen) json(body []byte) {
	var value any
	// A decoder stops behind the first value, as most handlers do.
	if json.NewDecoder(bytes.NewReader(body)).Decode(&value) == nil {
		s.value("raw json", value)
	}
}

func (s *seen) files(r *http.Request) {
	if r.MultipartForm == nil {
		return
	}
	s.values("body", r.MultipartForm.Value)
	for name, list := range r.MultipartForm.File {
		s.text("body name", name)
		for _, file := range list {
			s.text("filename", file.Filename)
			s.text("file type", file.Header.Get("Content-Type"))
			opened, err := file.Open()
			if err != nil {
				continue
			}
			content, _ := io.ReadAll(opened)
			s.text("file", string(content))
		}
	}
}

func answer(w http.ResponseWriter, r *http.Request) {
	s := &seen{}
	s.text("method", r.Method)
	s.text("url", r.RequestURI)
	for _, segment := range strings.Split(r.URL.Path, "/") {
		s.text("url", segment)
	}
	s.values("query", r.URL.Query())
	for name, list := range r.Header {
		lower := strings.ToLower(name)
		s.text("header name", lower)
		for _, one := range list {
			s.text("header "+lower, one)
		}
	}
	for _, cookie := range r.Cookies() {
		s.text("cookie name", cookie.Name)
		s.text("cookie", cookie.Value)
	}
	if user, _, ok := r.BasicAuth(); ok {
		s.text("user", user)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	kind := strings.ToLower(r.Header.Get("Content-Type"))
	if !strings.HasPrefix(kind, "multipart/") {
		s.text("raw", string(body))
		s.json(body)
	}
	_ = r.ParseMultipartForm(1 << 20)
	s.values("body", r.PostForm)
	s.values("query", r.Form)
	s.files(r)
	w.Header().Set("content-type", "application/json")
	_ = json.NewEncoder(w).Encode(s.pairs)
}

func main() {
	server := &http.Server{Addr: "127.0.0.1:" + os.Args[1], Handler: http.HandlerFunc(answer)}
	if err := server.ListenAndServe(); err != nil {
		panic(err)
	}
}
